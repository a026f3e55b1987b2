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
      lead="A square root is one point of a trade. The question in practice is: this much memory is there, what is the least work that fits? On a chain [dynamic programming](dynamic-programming) answers it."
      fields={
        <>
          {n.field}
          {budget.field}
        </>
      }
      text={[
        'Hold one tensor, finish everything right of it in the memory that is left, then what is left of it. Both parts are smaller problems of the same kind. Solve all of them once, for every budget, and look the best cut up.',
        `Within ${budget.value} pebbles ${recomputes} forwards are repeated, and no layer runs more than ${times} ${times === 1 ? 'time' : 'times'}. Small budgets nest: checkpoints inside segments that are themselves computed again, as the teeth on teeth of the zigzag show. One level of checkpoints, the squares, cannot go that low.`,
        'Each step of the stairs is a plan that no other beats: the [Pareto front](pareto). [Revolve](revolve) is best where only whole checkpoints count. The least is always memory-poor’s few pebbles, the most regular training.',
      ]}
      more={
        SENT !== null && (
          <Box component="p" maw="80ch">
            <Words>{`There is a third choice beside keeping and recomputing: to [send a tensor to host memory](offload) and fetch it in time. While one byte crosses the ${SENT.hostGBps} GB/s between an ${SENT.device} and its host, that device is taken to do ${formatCount(Math.round(SENT.flopsPerByte))} FLOPs. So the result of a 3 × 3 convolution comes back sooner than it is recomputed from ${formatCount(SENT.channels)} input channels on; a ReLU, one FLOP for each of its numbers, is better recomputed.`}</Words>
          </Box>
        )
      }
      tries={[
        {
          text: 'Give ResNet-50 with 64 images a budget of 2 GiB, and walk along its front of memory against recompute.',
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

interface TradeChartProps {
  readonly layers: number;
  readonly budget: Field<number>;
}

function TradeChart({ layers, budget: { value: budget, set } }: TradeChartProps) {
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
