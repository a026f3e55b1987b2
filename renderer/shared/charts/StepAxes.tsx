import { memo } from 'react';
import type { ByteAxis } from './axis.ts';
import { type PlotArea, pixelX, pixelY, type ValueRange } from './plot-area.ts';
import type { Tick } from './step-ticks.ts';
import type { StepWindow } from './step-window.ts';

/** A vertical axis from zero, or the part of one in `range`. */
export interface DrawnAxis extends Pick<ByteAxis, 'ticks' | 'top' | 'format'> {
  readonly range?: ValueRange;
}

export interface StepAxesProps {
  readonly area: PlotArea;
  readonly window: StepWindow;
  readonly ticks: readonly Tick[];
  readonly bytes: DrawnAxis;
}

/** Grid, bytes and steps. Plain SVG, because they follow every turn of the wheel. */
export const StepAxes = memo(function StepAxes({ area, window, ticks, bytes }: StepAxesProps) {
  const round = (value: number): number => Math.round(value * 10) / 10;
  return (
    <svg
      data-layer="axes"
      width={area.width}
      height={area.height}
      aria-hidden="true"
      fontSize={12}
      style={{ position: 'absolute', inset: 0 }}
    >
      {bytes.ticks.map((tick) => {
        const y = round(pixelY(area, tick, bytes.range ?? bytes.top));
        return (
          <g key={tick}>
            <line x1={area.left} x2={area.right} y1={y} y2={y} stroke="var(--zz-hairline)" />
            <text x={area.left - 10} y={y + 4} textAnchor="end" fill="var(--zz-muted)">
              {bytes.format(tick)}
            </text>
          </g>
        );
      })}
      <line x1={area.left} x2={area.right} y1={area.bottom} y2={area.bottom} stroke="var(--zz-axis)" />
      {ticks.map(({ value, label }) => {
        const x = round(pixelX(area, value, window.to, window.from));
        return (
          <g key={value}>
            <line x1={x} x2={x} y1={area.bottom} y2={area.bottom + 4} stroke="var(--zz-axis)" />
            <text x={x} y={area.bottom + 19} textAnchor="middle" fill="var(--zz-muted)">
              {label}
            </text>
          </g>
        );
      })}
    </svg>
  );
});
