import { memo } from 'react';
import { Bar, ReferenceLine } from 'recharts';
import type { PlotArea } from '../../../shared/charts/plot-area.ts';
import { Plot } from '../../../shared/plot/Plot.tsx';
import { PlotTooltip } from '../../../shared/plot/PlotTooltip.tsx';
import type { NetworkBars } from './network-bars.ts';

const LETTER = 7;

/** Grouped bars; a strategy keeps its colour, and its dashes as the outline of its bars. */
export const BarsPicture = memo(function BarsPicture({ bars, area }: { bars: NetworkBars; area: PlotArea }) {
  const { groups, series, axis } = bars;
  const room = Math.floor((area.right - area.left) / Math.max(1, groups.length) / LETTER) - 1;
  const titleOf = (id: string): string => groups.find((group) => group.id === id)?.title ?? '';
  const short = (title: string): string => (title.length > room ? `${title.slice(0, room - 1)}…` : title);
  return (
    <Plot
      area={area}
      x={{ key: 'id', format: (id: string) => short(titleOf(id)) }}
      y={axis}
      data={groups.map(({ id, values }) => ({ id, ...values }))}
    >
      <PlotTooltip format={axis.format} title={(id) => titleOf(String(id))} />
      {series.map(({ name, title, color, dash }) => (
        <Bar
          key={name}
          dataKey={name}
          name={title}
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
    </Plot>
  );
});
