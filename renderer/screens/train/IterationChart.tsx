import { useMemo } from 'react';
import { CartesianGrid, Line, LineChart, XAxis, YAxis } from 'recharts';
import { ChartCard } from '../../shared/charts/ChartCard.tsx';
import { useSize } from '../../shared/use-size.ts';
import { type IterationValue, iterationSeries, iterationTable } from './iteration-series.ts';
import { RunLegend } from './RunLegend.tsx';
import type { RunLook } from './run-look.ts';
import layout from '../../shared/layout/layout.module.css';
import classes from './train.module.css';

export interface IterationChartProps {
  readonly title: string;
  readonly note: string;
  readonly value: IterationValue;
  readonly looks: readonly RunLook[];
  readonly format: (value: number) => string;
  readonly fromZero: boolean;
}

const HEIGHT = 176;
const TICK = { fontSize: 12, fill: 'var(--zz-muted)' } as const;

/** One value of each iteration, for every visible run. */
export function IterationChart({ title, note, value, looks, format, fromZero }: IterationChartProps) {
  const [ref, { width }] = useSize<HTMLDivElement>();
  const series = useMemo(() => iterationSeries(looks, value), [looks, value]);
  const table = useMemo(() => iterationTable(looks, value, title, format), [looks, value, title, format]);
  const planned = Math.max(2, ...looks.map(({ run }) => run.request.iterations));
  const last = series.map(({ look, points }) => `${look.title} ${format(points.at(-1)?.value ?? 0)}`);

  return (
    <ChartCard
      title={title}
      summary={`${title} by iteration, the latest: ${last.join(', ')}.`}
      fileName={title.toLowerCase().replaceAll(' ', '-')}
      height={HEIGHT}
      data={() => iterationTable(looks, value, title, String, Number.POSITIVE_INFINITY)}
      table={table}
      legend={series.map(({ look: { title: name, color, dash } }) => ({ title: name, color, dash }))}
      footer={
        <>
          <div className={`${layout['legend']} ${classes['legend']}`}>
            <RunLegend looks={series.map(({ look }) => look)} />
          </div>
          <p className={`${layout['note']} ${classes['note']}`}>{series.length === 0 ? '' : note}</p>
        </>
      }
      empty={series.length === 0 ? 'It starts with the first iteration.' : undefined}
    >
      <div ref={ref} className={layout['fill']}>
        {width > 0 && (
          <LineChart
            width={width}
            height={HEIGHT}
            margin={{ left: 0, right: 16, top: 8, bottom: 0 }}
            accessibilityLayer={false}
          >
            <CartesianGrid vertical={false} stroke="var(--zz-hairline)" />
            <XAxis
              dataKey="iteration"
              type="number"
              domain={[1, planned]}
              allowDecimals={false}
              height={24}
              tick={TICK}
              stroke="var(--zz-axis)"
            />
            <YAxis
              width={64}
              domain={fromZero ? [0, 'auto'] : ['auto', 'auto']}
              tickFormatter={format}
              tickCount={4}
              tick={TICK}
              tickLine={false}
              axisLine={false}
            />
            {/* Of losses, those behind are wider, so that curves that coincide are all seen. */}
            {series.map(({ look, points }, i) => (
              <Line
                key={look.run.key}
                data={[...points]}
                dataKey="value"
                stroke={look.color}
                strokeDasharray={look.dash}
                strokeWidth={look.width + (value === 'loss' ? 2 * (series.length - 1 - i) : 0)}
                strokeOpacity={value === 'loss' && i < series.length - 1 ? 0.45 : 1}
                dot={points.length < 2 ? { r: 3 } : false}
                activeDot={false}
                isAnimationActive={false}
              />
            ))}
          </LineChart>
        )}
      </div>
    </ChartCard>
  );
}
