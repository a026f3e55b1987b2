import { memo } from 'react';
import { type PlotArea, pixelX, pixelY } from '../../shared/charts/plot-area.ts';
import { formatCount } from '../../shared/format/numbers.ts';
import { endLabels } from './end-labels.ts';
import type { LimitCurve } from './memory-lines.ts';

export interface LimitPlotProps {
  readonly area: PlotArea;
  readonly end: number;
  readonly xTicks: readonly number[];
  readonly top: number;
  readonly yTicks: readonly number[];
  readonly yFormat: (value: number) => string;
  readonly curves: readonly LimitCurve[];
  /** The device's memory: a line across, above which nothing fits. */
  readonly limit?: { readonly y: number; readonly text: string };
  readonly id: string;
}

/** Lines over batch sizes, each with a ring at the largest batch that fits. */
export const LimitPlot = memo(function LimitPlot(props: LimitPlotProps) {
  const { area, end, xTicks, top, yTicks, yFormat, curves, limit, id } = props;
  const x = (value: number): number => Math.round(pixelX(area, value, end) * 10) / 10;
  const y = (value: number): number => Math.round(pixelY(area, value, top) * 10) / 10;
  const clip = `${id}-plot`;
  const labels = endLabels(
    curves.flatMap(({ id: name, end: last }) =>
      last === null ? [] : [{ id: name, x: x(last.x), y: y(last.y), text: formatCount(last.x) }],
    ),
    area,
  );
  return (
    <svg data-layer="limits" width={area.width} height={area.height} aria-hidden="true" fontSize={12}>
      <clipPath id={clip}>
        <rect x={area.left} y={0} width={area.right - area.left} height={area.bottom} />
      </clipPath>
      {yTicks.map((tick) => (
        <g key={tick}>
          <line x1={area.left} x2={area.right} y1={y(tick)} y2={y(tick)} stroke="var(--zz-hairline)" />
          <text x={area.left - 8} y={y(tick) + 4} textAnchor="end" fill="var(--zz-muted)">
            {yFormat(tick)}
          </text>
        </g>
      ))}
      <line x1={area.left} x2={area.right} y1={area.bottom} y2={area.bottom} stroke="var(--zz-axis)" />
      {xTicks.map((tick) => (
        <text key={tick} x={x(tick)} y={area.bottom + 18} textAnchor="middle" fill="var(--zz-muted)">
          {formatCount(tick)}
        </text>
      ))}
      {limit !== undefined && limit.y <= top && (
        <>
          <rect
            x={area.left}
            y={area.top}
            width={area.right - area.left}
            height={Math.max(0, y(limit.y) - area.top)}
            fill="var(--zz-raised)"
          />
          <line
            x1={area.left}
            x2={area.right}
            y1={y(limit.y)}
            y2={y(limit.y)}
            stroke="var(--zz-ink)"
            strokeDasharray="2 3"
          />
        </>
      )}
      <g clipPath={`url(#${clip})`}>
        {curves.map(({ id: name, points, color, dash, width }) => (
          <path
            key={name}
            data-curve={name}
            d={points.map((point, i) => `${i === 0 ? 'M' : 'L'}${x(point.x)} ${y(point.y)}`).join('')}
            fill="none"
            stroke={color}
            strokeWidth={width}
            strokeDasharray={dash}
          />
        ))}
      </g>
      {limit !== undefined && limit.y <= top && (
        <text
          x={area.left + 8}
          y={Math.min(area.top + 18, y(limit.y) - 6)}
          fill="var(--zz-ink)"
          stroke="var(--zz-raised)"
          strokeWidth={4}
          paintOrder="stroke"
        >
          {limit.text}
        </text>
      )}
      {curves.map(
        ({ id: name, end: last, color }) =>
          last !== null && (
            <circle
              key={name}
              data-end={name}
              cx={x(last.x)}
              cy={y(last.y)}
              r={4}
              fill="var(--zz-card)"
              stroke={color}
              strokeWidth={2}
            />
          ),
      )}
      {labels.map((label) => (
        <text
          key={label.id}
          x={label.textX}
          y={label.textY}
          textAnchor="middle"
          fill="var(--zz-ink)"
          stroke="var(--zz-card)"
          strokeWidth={3}
          paintOrder="stroke"
        >
          {label.text}
        </text>
      ))}
    </svg>
  );
});
