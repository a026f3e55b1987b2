import { formatMs, formatPercent, THIN } from '../../../shared/format/numbers.ts';
import { useCatalog } from '../../../state/workspace/use-workspace.ts';
import { IterationChart } from './IterationChart.tsx';
import { lossSentence } from './loss-sentence.ts';
import type { RunLook } from '../state/run-look.ts';
import classes from '../train.module.css';

export interface IterationChartsProps {
  readonly zigzags: readonly RunLook[];
  readonly losses: readonly RunLook[];
}

const formatLoss = (loss: number): string => loss.toPrecision(3);
const MILLISECONDS = { suffix: `${THIN}ms` };
const PERCENT = { unit: 0.01, suffix: `${THIN}%` };

/** What every iteration told: losses over each other, times, and drift where statistics are naive. */
export function IterationCharts({ zigzags, losses }: IterationChartsProps) {
  const { titles } = useCatalog();
  const drifts = losses.filter(({ run }) => run.drift.length > 0);
  const runs = losses.map(({ run }) => run);
  return (
    <div className={classes['pair']}>
      <IterationChart
        title="Loss"
        note={lossSentence(runs, titles)}
        value="loss"
        looks={losses}
        format={formatLoss}
        fromZero={false}
        axisTitle="Loss"
      />
      <IterationChart
        title="Time of an iteration"
        note="Measured, from the first forward to the new weights."
        value="iterationMs"
        looks={zigzags}
        format={formatMs}
        fromZero
        axisTitle="Time of an iteration"
        ticks={MILLISECONDS}
      />
      {drifts.length > 0 && (
        <IterationChart
          title="Drift of the running statistics"
          note="Of batch norm: how far they are from those of a careful run, a share of these."
          value="drift"
          looks={drifts}
          format={formatPercent}
          fromZero
          axisTitle="Drift of the running statistics (%)"
          ticks={PERCENT}
        />
      )}
    </div>
  );
}
