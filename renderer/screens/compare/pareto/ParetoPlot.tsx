import { memo } from 'react';
import type { ByteAxis } from '../../../shared/charts/byte-axis.ts';
import { type PlotArea, pixelX, pixelY } from '../../../shared/charts/plot-area.ts';
import { stepLine } from '../../../shared/charts/step-path.ts';
import { formatPercent, THIN } from '../../../shared/format/numbers.ts';
import { colorOf, identityOf } from '../../../state/strategies/identity.ts';
import { frontSteps, isBeyond, type PlanPoint, type RecomputeAxis } from './pareto-plot.ts';
import { pointLabels } from './point-labels.ts';

export interface ParetoPlotProps {
  readonly area: PlotArea;
  readonly own: readonly PlanPoint[];
  readonly front: readonly PlanPoint[];
  readonly bytes: ByteAxis;
  readonly axis: RecomputeAxis;
  readonly chosen: string | null;
}

const FRONT = identityOf('budget');

/** Where a point is drawn; what lies beyond the axis is drawn on its upper edge. */
export function pixelOf(
  point: PlanPoint,
  area: PlotArea,
  end: number,
  axis: RecomputeAxis,
): { readonly x: number; readonly y: number } {
  return {
    x: pixelX(area, point.bytes, end),
    y: isBeyond(point, axis) ? area.top - 8 : pixelY(area, point.recompute, axis.top),
  };
}

export const ParetoPlot = memo(function ParetoPlot({
  area,
  own,
  front,
  bytes,
  axis,
  chosen,
}: ParetoPlotProps) {
  const scale = { area, end: bytes.top, top: axis.top };
  const inside = front.filter((point) => !isBeyond(point, axis));
  const line = stepLine(frontSteps(inside, bytes.top), scale);
  const labels = pointLabels(
    own.map((point) => ({
      id: point.id,
      text: isBeyond(point, axis) ? `${point.title} ${formatPercent(point.recompute)}` : point.title,
      ...pixelOf(point, area, bytes.top, axis),
    })),
    area,
  );
  return (
    <svg data-layer="pareto" width={area.width} height={area.height} aria-hidden="true" fontSize={12}>
      {axis.ticks.map((tick) => (
        <g key={tick}>
          <line
            x1={area.left}
            x2={area.right}
            y1={pixelY(area, tick, axis.top)}
            y2={pixelY(area, tick, axis.top)}
            stroke={tick === 0 ? 'var(--zz-axis)' : 'var(--zz-hairline)'}
          />
          <text
            x={area.left - 8}
            y={pixelY(area, tick, axis.top) + 4}
            textAnchor="end"
            fill="var(--zz-muted)"
          >
            {formatPercent(tick)}
          </text>
        </g>
      ))}
      {bytes.ticks.map((tick, i) => (
        <text
          key={tick}
          x={pixelX(area, tick, bytes.top)}
          y={area.bottom + 18}
          textAnchor="middle"
          fill="var(--zz-muted)"
        >
          {bytes.format(tick)}
          {i === bytes.ticks.length - 1 ? `${THIN}${bytes.unit}` : ''}
        </text>
      ))}
      <path
        data-front=""
        d={line}
        fill="none"
        stroke={colorOf(FRONT)}
        strokeWidth={FRONT.width}
        strokeDasharray={FRONT.dash}
      />
      {front.map((point) => (
        <Dot
          key={point.id}
          point={point}
          isChosen={point.id === chosen}
          {...{ area, axis, end: bytes.top }}
        />
      ))}
      {own.map((point) => (
        <Dot
          key={point.id}
          point={point}
          isChosen={point.id === chosen}
          {...{ area, axis, end: bytes.top }}
        />
      ))}
      {labels.map((label) => (
        <text
          key={label.id}
          x={label.textX}
          y={label.textY}
          textAnchor={label.anchor}
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

interface DotProps {
  readonly point: PlanPoint;
  readonly area: PlotArea;
  readonly end: number;
  readonly axis: RecomputeAxis;
  readonly isChosen: boolean;
}

/** A strategy is a disc, a point of the front a small ring, a plan beyond the axis an arrow. */
function Dot({ point, area, end, axis, isChosen }: DotProps) {
  const { x, y } = pixelOf(point, area, end, axis);
  if (isBeyond(point, axis)) {
    return <path d={`M${x - 5} ${y + 4}L${x} ${y - 4}L${x + 5} ${y + 4}Z`} fill={point.color} />;
  }
  const isFront = point.strategy === null;
  return (
    <circle
      data-point={isFront ? 'front' : point.id}
      cx={x}
      cy={y}
      r={(isFront ? 3.5 : 5.5) + (isChosen ? 2 : 0)}
      fill={isFront && !isChosen ? 'var(--zz-card)' : point.color}
      stroke={isFront ? point.color : 'var(--zz-card)'}
      strokeWidth={1.5}
    />
  );
}
