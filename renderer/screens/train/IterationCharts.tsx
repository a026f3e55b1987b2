import { formatMs, formatPercent } from '../../shared/format/numbers.ts';
import { useCatalog } from '../../state/workspace/use-workspace.ts';
import { IterationChart } from './IterationChart.tsx';
import { lossSentence } from './loss-sentence.ts';
import type { RunLook } from './run-look.ts';
import classes from './train.module.css';

export interface IterationChartsProps {
  readonly zigzags: readonly RunLook[];
  readonly losses: readonly RunLook[];
}

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
        format={(loss) => loss.toPrecision(3)}
        fromZero={false}
      />
      <IterationChart
        title="Time of an iteration"
        note="Measured, from the first forward to the new weights."
        value="iterationMs"
        looks={zigzags}
        format={formatMs}
        fromZero
      />
      {drifts.length > 0 && (
        <IterationChart
          title="Drift of the running statistics"
          note="Of batch norm: how far they are from those of a careful run, a share of these."
          value="drift"
          looks={drifts}
          format={formatPercent}
          fromZero
        />
      )}
    </div>
  );
}
