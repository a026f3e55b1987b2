import { Box } from '@mantine/core';
import { formatCount } from '../../../shared/format/numbers.ts';
import { Words } from '../../../state/parts/Words.tsx';
import { colorOf, identityOf } from '../../../state/strategies/identity.ts';
import { budgetSteps, oneLevelTrades, playWithin, revolveTrades, type Trade } from '../model/budgets.ts';
import { offloadTrade } from '../model/offload-trade.ts';
import { type Field, useLayers, useSlider } from '../parts/fields.tsx';
import { playerIdentity } from '../parts/identities.ts';
import classes from '../parts/learn.module.css';
import { LessonPage } from '../parts/LessonPage.tsx';
import { LineChart } from '../parts/LineChart.tsx';
import { PlayCard } from '../parts/PlayCard.tsx';

const DP = identityOf('chain-dp', 'Chain DP');
const GIB = 1024 ** 3;
const SENT = offloadTrade();

export function BudgetLesson() {
  const n = useLayers(16, { min: 4, also: () => ({ b: undefined }) });
  const layers = n.value;
  const { least, most, trades } = budgetSteps(layers);
  const budget = useSlider('b', {
    label: 'Budget',
    min: least,
    max: most,
    first: Math.min(most, least + 3),
    text: (value) => `${value} pebbles`,
  });
  const play = playWithin(layers, budget.value);
  if (play === null) return null;
  const { recomputes } = trades[budget.value - least]!;
  const times = Math.max(...play.frames.at(-1)!.forwards);
  return (
    <LessonPage
      lead="The square root is only one point of the trade between memory and work. The question in practice is: with this much memory, what is the least work? For a chain, [dynamic programming](dynamic-programming) gives the answer."
      fields={
        <>
          {n.field}
          {budget.field}
        </>
      }
      text={[
        'Keep one tensor as a checkpoint. First finish everything to the right of it in the remaining memory, then everything to the left. Both parts are smaller problems of the same kind. Solve each of them once for every budget; the best cut is then read from a table.',
        `With ${budget.value} pebbles, ${recomputes} forwards are repeated and no layer runs more than ${times} ${times === 1 ? 'time' : 'times'}. Small budgets nest: they place checkpoints inside segments that are themselves recomputed. In the zigzag you see small teeth on larger teeth. One level of checkpoints (the squares) cannot go that low.`,
        'Each step of the stairs is a plan that no other plan beats. Together they are the [Pareto front](pareto). [Revolve](revolve) is optimal when only whole checkpoints count. The front begins at the few pebbles of memory-poor and ends at regular training.',
      ]}
      more={
        SENT !== null && (
          <Box component="p" maw="80ch">
            <Words>{`A tensor can be kept or recomputed. The third option is to [offload it to host memory](offload) and fetch it in time. Take an ${SENT.device}: while one byte crosses its link of ${SENT.hostGBps} GB/s, it can do about ${formatCount(Math.round(SENT.flopsPerByte))} FLOPs. So fetching the output of a 3 × 3 convolution is faster than recomputing it if the convolution has at least ${formatCount(SENT.channels)} input channels. A ReLU needs one FLOP per number; recomputing it is faster.`}</Words>
          </Box>
        )
      }
      tries={[
        {
          text: 'Give ResNet-50 with 64 images a budget of 2 GiB, then walk along its front of memory against recompute.',
          action: 'Plan within 2 GiB',
          screen: 'compare',
          experiment: {
            model: 'resnet50',
            batch: 64,
            strategies: ['regular', 'live', 'budget'],
            budgetBytes: 2 * GIB,
          },
          selected: 'budget',
        },
      ]}
    >
      <div className={classes['pair']}>
        <TradeChart layers={layers} budget={budget} />
        <PlayCard
          title={`Within ${budget.value} pebbles`}
          layers={layers}
          play={play}
          identity={DP}
          first={play.peakFrame}
        />
      </div>
    </LessonPage>
  );
}

function TradeChart({ layers, budget: { value: budget, set } }: { layers: number; budget: Field<number> }) {
  const { least, most, trades } = budgetSteps(layers);
  const trade = trades[budget - least]!;
  const point = ({ peak, recomputes }: Trade) => ({ x: peak, y: recomputes });
  const text = `Budget of ${budget} pebbles: ${trade.recomputes} forwards repeated`;
  const others = [
    { identity: playerIdentity('chen-sqrt'), title: 'One level of checkpoints', of: oneLevelTrades(layers) },
    { identity: playerIdentity('revolve'), title: 'Revolve', of: revolveTrades(layers) },
  ];
  return (
    <LineChart
      title="Work against memory"
      summary={`Forwards repeated against the budget, for a chain of ${layers} layers. ${text}.`}
      fileName={`budget-${layers}`}
      height={328}
      xTitle="pebbles"
      yTitle="forwards repeated"
      series={[
        {
          id: 'chain-dp',
          title: 'Dynamic programming',
          color: colorOf(DP),
          isStair: true,
          width: 2.5,
          points: trades.map(({ budget: x, recomputes }) => ({ x, y: recomputes })),
        },
        ...others.map(({ identity, title, of }) => ({
          id: identity.name,
          title,
          color: colorOf(identity),
          marks: identity.name === 'revolve' ? ('disc' as const) : ('square' as const),
          points: of.map(point),
        })),
      ]}
      marks={[{ x: budget, y: trade.recomputes, text: '', color: 'var(--zz-ink)' }]}
      cursor={{
        at: budget,
        min: least,
        max: most,
        label: 'Budget, on the curve',
        note: `${budget} pebbles: ${trade.recomputes}`,
        text,
        onMove: set,
      }}
      table={{
        caption: `Forwards repeated within a budget, ${layers} layers`,
        columns: ['Budget', 'Peak', 'Forwards repeated'],
        rows: trades.map(({ budget: b, peak, recomputes }) => [b, peak, recomputes]),
      }}
    />
  );
}
