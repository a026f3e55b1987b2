import { memo } from 'react';
import { Bar, BarChart, Cell, LabelList, ReferenceLine, XAxis, YAxis } from 'recharts';
import { formatPercent } from '../../shared/format/numbers.ts';
import { AXIS_HEIGHT, type OverheadBar, overheadDomain, ROW_HEIGHT } from './overhead-bars.ts';

export interface OverheadBarsProps {
  readonly bars: readonly OverheadBar[];
  readonly width: number;
  readonly isMeasured: boolean;
}

/** One bar a strategy, measured ones below predicted ones. */
export const OverheadBars = memo(function OverheadBars({ bars, width, isMeasured }: OverheadBarsProps) {
  const [low, high] = overheadDomain(bars);
  return (
    <BarChart
      width={width}
      height={bars.length * ROW_HEIGHT + AXIS_HEIGHT}
      data={[...bars]}
      layout="vertical"
      margin={{ left: 0, right: 56, top: 0, bottom: 0 }}
      barGap={2}
      accessibilityLayer={false}
    >
      <XAxis
        type="number"
        domain={[low, high]}
        height={AXIS_HEIGHT}
        tickFormatter={(percent: number) => formatPercent(percent / 100)}
        tick={{ fontSize: 12, fill: 'var(--zz-muted)' }}
        tickCount={3}
        stroke="var(--zz-axis)"
      />
      <YAxis
        type="category"
        dataKey="title"
        width={96}
        interval={0}
        tick={{ fontSize: 12, fill: 'var(--zz-ink)' }}
        tickLine={false}
        axisLine={false}
      />
      <Bar dataKey="predicted" minPointSize={1} barSize={isMeasured ? 10 : 16} isAnimationActive={false}>
        {bars.map((bar) => (
          <Cell key={bar.name} fill={bar.color} fillOpacity={0.3} stroke={bar.color} />
        ))}
        {!isMeasured && <LabelList dataKey="label" position="right" fontSize={12} fill="var(--zz-ink)" />}
      </Bar>
      {isMeasured && (
        <Bar dataKey="measured" barSize={10} isAnimationActive={false}>
          {bars.map((bar) => (
            <Cell key={bar.name} fill={bar.color} />
          ))}
        </Bar>
      )}
      <ReferenceLine x={0} stroke="var(--zz-axis)" />
    </BarChart>
  );
});
