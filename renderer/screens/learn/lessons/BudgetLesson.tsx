import { colorOf, identityOf } from '../../../state/strategies/identity.ts';
import { playerIdentity } from '../parts/identities.ts';
import classes from '../parts/learn.module.css';
import { formatCount } from '../../../shared/format/numbers.ts';
import { offloadTrade } from '../model/offload-trade.ts';
import { budgetSteps, oneLevelTrades, playWithin, revolveTrades, type Trade } from '../model/budgets.ts';
import { wholeNumber } from '../../../state/learn/page-state.ts';
import { LineChart } from '../parts/LineChart.tsx';
import { ChainCard } from '../parts/ChainCard.tsx';
import { SliderField } from '../parts/SliderField.tsx';
import { Term } from '../../../state/parts/Term.tsx';
import { Try } from '../parts/Try.tsx';
import { usePage } from '../../../state/parts/use-page.ts';

const MOST = 24;
const DP = identityOf('chain-dp', 'Chain DP');
const GIB = 1024 ** 3;
const SENT = offloadTrade();

export function BudgetLesson() {
  const { params, set } = usePage();
  const layers = wholeNumber(params['n'], 4, MOST, 16);
  const { least, most, trades } = budgetSteps(layers);
  const budget = wholeNumber(params['b'], least, most, Math.min(most, least + 3));
  const setBudget = (b: number): void => set({ b, at: undefined });
  const play = playWithin(layers, budget);
  const trade = trades[budget - least]!;
  if (play === null) return null;
  const times = Math.max(...play.frames.at(-1)!.forwards);
  return (
    <>
      <p className={classes['lead']}>
        A square root is one point of a trade. The question in practice is: this much memory is there, what is
        the least work that fits? On a chain <Term id="dynamic-programming">dynamic programming</Term> answers
        it.
      </p>
      <div className={classes['fields']}>
        <SliderField
          label="Layers"
          value={layers}
          min={4}
          max={MOST}
          onValue={(n) => set({ n, b: undefined, at: undefined })}
        />
        <SliderField
          label="Budget"
          value={budget}
          min={least}
          max={most}
          text={`${budget} pebbles`}
          onValue={setBudget}
        />
      </div>
      <div className={classes['pair']}>
        <TradeChart layers={layers} budget={budget} trade={trade} onBudget={setBudget} />
        <ChainCard
          title={`Within ${budget} pebbles`}
          layers={layers}
          play={play}
          identity={DP}
          first={play.peakFrame}
        />
      </div>
      <div className={classes['text']}>
        <p>
          Hold one tensor, finish everything right of it in the memory that is left, then what is left of it.
          Both parts are smaller problems of the same kind. Solve all of them once, for every budget, and look
          the best cut up.
        </p>
        <p>
          Within {budget} pebbles {trade.recomputes} forwards are repeated, and no layer runs more than{' '}
          {times} {times === 1 ? 'time' : 'times'}. Small budgets nest: checkpoints inside segments that are
          themselves computed again, as the teeth on teeth of the zigzag show. One level of checkpoints, the
          squares, cannot go that low.
        </p>
        <p>
          Each step of the stairs is a plan that no other beats: the <Term id="pareto">Pareto front</Term>.{' '}
          <Term id="revolve">Revolve</Term> is best where only whole checkpoints count. The least is always
          memory-poor’s few pebbles, the most regular training.
        </p>
      </div>
      {SENT !== null && (
        <p className={classes['aside']}>
          There is a third choice beside keeping and forwarding again: to{' '}
          <Term id="offload">send a tensor to host memory</Term> and fetch it in time. While one byte crosses
          the {SENT.hostGBps} GB/s between an {SENT.device} and its host, that device is taken to do{' '}
          {formatCount(Math.round(SENT.flopsPerByte))} FLOPs. So the result of a 3 × 3 convolution comes back
          sooner than it is made again from {formatCount(SENT.channels)} input channels on; a ReLU, one FLOP
          for each of its numbers, is better forwarded again.
        </p>
      )}
      <Try
        trial={{
          screen: 'compare',
          experiment: {
            model: 'resnet50',
            batch: 64,
            strategies: ['regular', 'live', 'budget'],
            budgetBytes: 2 * GIB,
          },
          selected: 'budget',
        }}
        action="Plan within 2 GiB"
      >
        Give ResNet-50 with 64 images a budget of 2 GiB, and walk along its front of memory against recompute.
      </Try>
    </>
  );
}

interface TradeChartProps {
  readonly layers: number;
  readonly budget: number;
  readonly trade: Trade;
  readonly onBudget: (budget: number) => void;
}

function TradeChart({ layers, budget, trade, onBudget }: TradeChartProps) {
  const { least, most, trades } = budgetSteps(layers);
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
        onMove: onBudget,
      }}
      table={{
        caption: `Forwards repeated within a budget, ${layers} layers`,
        columns: ['Budget', 'Peak', 'Forwards repeated'],
        rows: trades.map(({ budget: b, peak, recomputes }) => [b, peak, recomputes]),
      }}
    />
  );
}
