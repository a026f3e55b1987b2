import { memo, useId } from 'react';
import { DefaultZIndexes, Line, Scatter, ZIndexLayer } from 'recharts';
import type { RecomputeBound } from '../../../../engine/bounds/recompute-bound.ts';
import { type Axis, type ByteAxis, rangeOf } from '../../../shared/charts/axis.ts';
import { placeBetween } from '../../../shared/charts/curve-room.ts';
import type { PlotArea } from '../../../shared/charts/plot-area.ts';
import { formatPercent } from '../../../shared/format/numbers.ts';
import { Plot } from '../../../shared/plot/Plot.tsx';
import { PlotNotes } from '../../../shared/plot/PlotNotes.tsx';
import { colorOf, identityOf } from '../../../state/strategies/identity.ts';
import { curvePath, provedCurve, regionPath } from './proved-region.ts';
import { bytesAcross, isBeyond, isInView, paretoSteps, type PlanPoint, pixelOf } from './pareto-plot.ts';

export interface ParetoPlotProps {
  readonly area: PlotArea;
  readonly own: readonly PlanPoint[];
  readonly line: readonly PlanPoint[];
  readonly bytes: ByteAxis;
  readonly axis: Axis;
  readonly bound: RecomputeBound | null;
}

const FRONT = identityOf('budget');

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly point: PlanPoint;
}

/** The front as a line, plans as points: a strategy is a disc, a point of the front a small ring. */
export const ParetoPlot = memo(function ParetoPlot({ area, own, line, bytes, axis, bound }: ParetoPlotProps) {
  const inside = (points: readonly PlanPoint[]): Placed[] =>
    points
      .filter((point) => isInView(point, axis) && !isBeyond(point, axis))
      .map((point) => ({ x: point.bytes, y: point.recompute, point }));
  const searched = line.filter(({ strategy }) => strategy === null);
  const steps = paretoSteps(
    axis.range === undefined ? line.filter((point) => !isBeyond(point, axis)) : line,
    bytes.top,
  );
  const labels = placeBetween(
    own
      .filter((point) => isInView(point, axis))
      .map((point) => ({
        id: point.id,
        text: isBeyond(point, axis) ? `${point.title} ${formatPercent(point.recompute)}` : point.title,
        color: point.color,
        isBeside: true,
        ...pixelOf(point, area, bytes.top, axis),
      })),
    [{ points: steps }],
    { area, end: bytes.top, top: rangeOf(axis) },
  );
  const curve = bound === null ? [] : provedCurve(bound, steps, bytes.top);
  const clip = useId();
  const place = { area, end: bytes.top, axis };
  return (
    <Plot area={area} x={bytesAcross(bytes)} y={axis}>
      <ZIndexLayer zIndex={DefaultZIndexes.area}>
        <clipPath id={clip}>
          <rect x={area.left} y={area.top} width={area.right - area.left} height={area.bottom - area.top} />
        </clipPath>
        <g clipPath={axis.range === undefined ? undefined : `url(#${clip})`}>
          <path data-region="" d={regionPath(curve, steps, place)} fill={colorOf(FRONT)} fillOpacity={0.12} />
          <path
            data-proof=""
            d={curvePath(curve, place)}
            fill="none"
            stroke="var(--zz-muted)"
            strokeWidth={1.25}
            strokeDasharray="2 3"
          />
        </g>
      </ZIndexLayer>
      <Line
        data-front=""
        data={steps}
        dataKey="y"
        type="stepAfter"
        stroke={colorOf(FRONT)}
        strokeWidth={FRONT.width}
        {...(FRONT.dash === undefined ? {} : { strokeDasharray: FRONT.dash })}
        dot={false}
        activeDot={false}
        isAnimationActive={false}
      />
      {[inside(searched), inside(own)].map((points, i) => (
        <Scatter
          key={i === 0 ? 'front' : 'own'}
          data={points}
          dataKey="y"
          shape={Dot}
          zIndex={DefaultZIndexes.scatter + i}
          isAnimationActive={false}
        />
      ))}
      <PlotNotes labels={labels} halo="var(--zz-card)">
        {[...searched, ...own]
          .filter((point) => isBeyond(point, axis) && isInView(point, axis))
          .map((point) => {
            const { x, y } = pixelOf(point, area, bytes.top, axis);
            return (
              <path
                key={point.id}
                d={`M${x - 5} ${y + 4}L${x} ${y - 4}L${x + 5} ${y + 4}Z`}
                fill={point.color}
              />
            );
          })}
      </PlotNotes>
    </Plot>
  );
});

function Dot({
  cx,
  cy,
  payload,
}: {
  readonly cx?: number;
  readonly cy?: number;
  readonly payload?: unknown;
}) {
  const { point } = payload as Placed;
  const isFront = point.strategy === null;
  return (
    <circle
      data-point={isFront ? 'front' : point.id}
      cx={cx}
      cy={cy}
      r={isFront ? 3.5 : 5.5}
      fill={isFront ? 'var(--zz-card)' : point.color}
      stroke={isFront ? point.color : 'var(--zz-card)'}
      strokeWidth={1.5}
    />
  );
}
