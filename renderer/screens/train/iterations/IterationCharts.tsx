import { formatCount, formatMs, formatPercent, THIN } from '../../../shared/format/numbers.ts';
import { useCatalog } from '../../../state/workspace/use-workspace.ts';
import { lossSentence } from './loss-sentence.ts';
import type { RunLook } from '../state/run-look.ts';
import classes from '../train.module.css';
import { useMemo } from 'react';
import { type AxisOptions, linearAxis } from '../../../shared/charts/axis.ts';
import { Legend } from '../../../shared/charts/Legend.tsx';
import { leastOf } from '../../../shared/charts/step-curves.ts';
import { ValueCard } from '../../../shared/charts/ValueCard.tsx';
import { Plot } from '../../../shared/plot/Plot.tsx';
import { PlotLine } from '../../../shared/plot/PlotLine.tsx';
import { PlotTooltip } from '../../../shared/plot/PlotTooltip.tsx';
import { iterationSeries, iterationTable, type IterationValue } from './iteration-series.ts';
import layout from '../../../shared/layout/layout.module.css';

export interface IterationChartsProps {
  readonly zigzags: readonly RunLook[];
  readonly losses: readonly RunLook[];
}

const formatLoss = (loss: number): string => loss.toPrecision(3);
const MILLISECONDS = { suffix: `${THIN}ms` };
const PERCENT = { unit: 0.01, suffix: `${THIN}%` };

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
          note="Batch norm’s running statistics: relative difference from a careful run."
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

interface IterationChartProps {
  readonly title: string;
  readonly note: string;
  readonly value: IterationValue;
  readonly looks: readonly RunLook[];
  readonly format: (value: number) => string;
  readonly fromZero: boolean;
  readonly axisTitle: string;
  readonly ticks?: Pick<AxisOptions, 'unit' | 'suffix'>;
}

const MARGIN = { left: 64, right: 16, top: 8, bottom: 24 } as const;

const PLAIN: Pick<AxisOptions, 'unit' | 'suffix'> = {};

function IterationChart(props: IterationChartProps) {
  const { title, note, value, looks, format, fromZero, axisTitle, ticks = PLAIN } = props;
  const series = useMemo(() => iterationSeries(looks, value), [looks, value]);
  const table = useMemo(() => iterationTable(looks, value, title, format), [looks, value, title, format]);
  const planned = Math.max(2, ...looks.map(({ run }) => run.request.iterations));
  const iterations = linearAxis(1, planned, { parts: 6, least: 1, exact: true });
  const axis = useMemo(() => {
    const values = series.flatMap(({ points }) => points.map(({ y }) => y));
    const least = fromZero ? 0 : Math.min(...values);
    return { ...linearAxis(least, Math.max(...values), { parts: 4, ...ticks }), format };
  }, [series, fromZero, ticks, format]);
  const last = series.map(({ look, points }) => `${look.title} ${format(points.at(-1)?.y ?? 0)}`);
  const legend = series.map(({ look: { title: name, color, dash, width } }) => ({
    title: name,
    color,
    dash,
    width: width + 0.5,
  }));

  return (
    <ValueCard
      title={title}
      summary={`${title} by iteration, the latest: ${last.join(', ')}.`}
      fileName={title.toLowerCase().replaceAll(' ', '-')}
      height={176}
      margin={MARGIN}
      axis={axis}
      least={leastOf(series)}
      axisTitles={{ x: 'Iteration', y: axisTitle }}
      data={() => iterationTable(looks, value, title, String, Number.POSITIVE_INFINITY)}
      table={table}
      legend={legend}
      footer={
        <>
          <Legend entries={legend} />
          <p className={`${layout['note']} ${classes['note']}`}>{series.length === 0 ? '' : note}</p>
        </>
      }
      empty={series.length === 0 ? 'Shown after the first iteration.' : undefined}
      plot={(area, y) => (
        <Plot area={area} x={iterations} y={y}>
          <PlotTooltip format={format} title={(i) => `Iteration ${formatCount(Number(i))}`} />
          {/* Of losses, those behind are wider, so that curves that coincide are all seen. */}
          {series.map(({ look, points }, i) => (
            <PlotLine
              key={look.run.key}
              curve={{
                id: look.run.key,
                title: look.title,
                color: look.color,
                dash: look.dash,
                width: look.width + (value === 'loss' ? 2 * (series.length - 1 - i) : 0),
                opacity: value === 'loss' && i < series.length - 1 ? 0.45 : 1,
                points,
              }}
            />
          ))}
        </Plot>
      )}
    />
  );
}
