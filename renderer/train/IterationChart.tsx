import { useMemo } from 'react';
import { CartesianGrid, Line, LineChart, XAxis, YAxis } from 'recharts';
import type { Run } from '../runs/run.ts';
import { ChartCard } from '../shared/charts/ChartCard.tsx';
import { colorOf } from '../shared/strategies/identity.ts';
import { useSize } from '../shared/use-size.ts';
import { type IterationValue, iterationSeries, iterationTable } from './iteration-series.ts';
import classes from './train.module.css';

export interface IterationChartProps {
  readonly title: string;
  readonly note: string;
  readonly value: IterationValue;
  readonly runs: readonly Run[];
  readonly format: (value: number) => string;
  readonly fromZero: boolean;
}

const HEIGHT = 176;
const TICK = { fontSize: 12, fill: 'var(--zz-muted)' } as const;

/** One value of each iteration, for every visible run. */
export function IterationChart({ title, note, value, runs, format, fromZero }: IterationChartProps) {
  const [ref, { width }] = useSize<HTMLDivElement>();
  const series = useMemo(() => iterationSeries(runs, value), [runs, value]);
  const table = useMemo(() => iterationTable(runs, value, title, format), [runs, value, title, format]);
  const planned = Math.max(2, ...runs.map(({ request }) => request.iterations));
  const last = series.map(({ identity, points }) => `${identity.title} ${format(points.at(-1)?.value ?? 0)}`);

  return (
    <ChartCard
      title={title}
      summary={`${title} by iteration, the latest: ${last.join(', ')}.`}
      fileName={title.toLowerCase().replaceAll(' ', '-')}
      height={HEIGHT}
      data={() => iterationTable(runs, value, title, String, Number.POSITIVE_INFINITY)}
      table={table}
      legend={series.map(({ identity }) => ({
        title: identity.title,
        color: colorOf(identity),
        dash: identity.dash,
      }))}
      tools={<span className={classes['caption']}>{note}</span>}
      empty={series.length === 0 ? 'It starts with the first iteration.' : undefined}
    >
      <div ref={ref} className={classes['fill']}>
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
            {series.map(({ id, identity, points }, i) => (
              <Line
                key={id}
                data={[...points]}
                dataKey="value"
                stroke={colorOf(identity)}
                strokeDasharray={identity.dash}
                strokeWidth={identity.width + (value === 'loss' ? 3 * (series.length - 1 - i) : 0)}
                strokeOpacity={value === 'loss' && i < series.length - 1 ? 0.6 : 1}
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
