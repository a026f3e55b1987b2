import { memo } from 'react';
import { Bar, BarChart, CartesianGrid, ReferenceLine, XAxis, YAxis } from 'recharts';
import { MARGIN } from '../../../shared/charts/plot-area.ts';
import type { Size } from '../../../shared/use-size.ts';
import type { NetworkBars } from './network-bars.ts';

const TICK = { fontSize: 12, fill: 'var(--zz-muted)' } as const;
const LETTER = 7;

/** Grouped bars; a strategy keeps its colour, and its dashes as the outline of its bars. */
export const BarsPicture = memo(function BarsPicture({ bars, size }: { bars: NetworkBars; size: Size }) {
  const { groups, series, ticks, format, unit } = bars;
  const room =
    Math.floor((size.width - MARGIN.left - MARGIN.right) / Math.max(1, groups.length) / LETTER) - 1;
  const short = (title: string): string => (title.length > room ? `${title.slice(0, room - 1)}…` : title);
  return (
    <BarChart
      width={size.width}
      height={size.height}
      data={groups.map(({ id, values }) => ({ id, ...values }))}
      margin={{ left: 0, right: MARGIN.right, top: MARGIN.top, bottom: 0 }}
      barGap={2}
      barCategoryGap="20%"
      accessibilityLayer={false}
    >
      <CartesianGrid vertical={false} stroke="var(--zz-hairline)" />
      <XAxis
        dataKey="id"
        interval={0}
        height={MARGIN.bottom}
        tickFormatter={(id: string) => short(groups.find((group) => group.id === id)?.title ?? '')}
        tick={{ ...TICK, fill: 'var(--zz-ink)' }}
        tickLine={false}
        stroke="var(--zz-axis)"
      />
      <YAxis
        type="number"
        niceTicks="none"
        domain={[ticks[0] ?? 0, ticks.at(-1) ?? 1]}
        ticks={[...ticks]}
        tickFormatter={(value: number) => (unit === '' ? format(value) : `${format(value)} ${unit}`)}
        width={MARGIN.left + 16}
        interval={0}
        tick={TICK}
        tickLine={false}
        axisLine={false}
      />
      {series.map(({ name, color, dash }) => (
        <Bar
          key={name}
          dataKey={name}
          maxBarSize={28}
          isAnimationActive={false}
          fill={color}
          fillOpacity={0.35}
          stroke={color}
          strokeWidth={1.5}
          {...(dash === undefined ? {} : { strokeDasharray: dash })}
        />
      ))}
      <ReferenceLine y={0} stroke="var(--zz-axis)" />
    </BarChart>
  );
});
