import { memo } from 'react';
import { Bar, Cell, LabelList, ReferenceLine } from 'recharts';
import type { PlotArea } from '../../../shared/charts/plot-area.ts';
import { formatChange } from '../../../shared/format/numbers.ts';
import { Plot } from '../../../shared/plot/Plot.tsx';
import { PlotTooltip } from '../../../shared/plot/PlotTooltip.tsx';
import { type OverheadBar, overheadAxis } from './overhead-bars.ts';

export interface OverheadBarsProps {
  readonly bars: readonly OverheadBar[];
  readonly area: PlotArea;
  readonly isMeasured: boolean;
}

export const OverheadBars = memo(function OverheadBars({ bars, area, isMeasured }: OverheadBarsProps) {
  return (
    <Plot area={area} x={overheadAxis(bars)} y={{ key: 'title' }} data={bars} grid="none">
      <PlotTooltip format={formatChange} title={String} />
      <Bar
        dataKey="predicted"
        name="Predicted"
        minPointSize={1}
        barSize={isMeasured ? 10 : 16}
        isAnimationActive={false}
      >
        {bars.map((bar) => (
          <Cell key={bar.name} fill={bar.color} fillOpacity={0.3} stroke={bar.color} />
        ))}
        {!isMeasured && <LabelList dataKey="label" position="right" fontSize={12} fill="var(--zz-ink)" />}
      </Bar>
      {isMeasured && (
        <Bar dataKey="measured" name="Measured" barSize={10} isAnimationActive={false}>
          {bars.map((bar) => (
            <Cell key={bar.name} fill={bar.color} />
          ))}
        </Bar>
      )}
      <ReferenceLine x={0} stroke="var(--zz-axis)" />
    </Plot>
  );
});
