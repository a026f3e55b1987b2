import { memo } from 'react';
import { ReferenceArea, ReferenceLine } from 'recharts';
import { type Axis, rangeOf } from '../../../shared/charts/axis.ts';
import { level, roomBetween } from '../../../shared/charts/curve-room.ts';
import { overlap, placeLabels, placeOnLine } from '../../../shared/charts/place-labels.ts';
import { isShown, type PlotArea, pixelX, pixelY } from '../../../shared/charts/plot-area.ts';
import { formatCount } from '../../../shared/format/numbers.ts';
import { Plot } from '../../../shared/plot/Plot.tsx';
import { PlotLine } from '../../../shared/plot/PlotLine.tsx';
import { PlotNotes } from '../../../shared/plot/PlotNotes.tsx';
import { PlotRing } from '../../../shared/plot/PlotRing.tsx';
import type { LimitCurve } from './memory-lines.ts';

export interface LimitPlotProps {
  readonly area: PlotArea;
  readonly x: Axis;
  readonly y: Axis;
  readonly curves: readonly LimitCurve[];
  /** The device's memory: a line across, above which nothing fits. */
  readonly limit?: { readonly y: number; readonly text: string } | undefined;
}

/** Over the line, under it, else anywhere in what the device does not have, `room` pixels high. */
function nameLifts(room: number): number[] {
  const lifts = [6, -16];
  for (let lift = 24; lift <= room - 14; lift += 14) lifts.push(lift);
  return lifts;
}

/** Over the plot, where the name has no room along the line or the line is not in view. */
function edgeText({ text, y }: NonNullable<LimitPlotProps['limit']>, axis: Axis, isInView: boolean): string {
  if (isInView) return `${text}, the dotted line`;
  return `${text}, ${y > axis.top ? 'above' : 'below'}`;
}

/** Lines over batch sizes, each with a ring at the largest batch that fits. */
export const LimitPlot = memo(function LimitPlot({ area, x, y, curves, limit: device }: LimitPlotProps) {
  const values = rangeOf(y);
  const limit = device !== undefined && isShown(device.y, values) ? device : undefined;
  const line = limit === undefined ? [] : [level(limit.y, x.top)];
  const room = roomBetween([...curves.map(({ points }) => ({ points, isSloped: true })), ...line], {
    area,
    end: x.top,
    top: values,
  });
  const across = limit === undefined ? area.top : pixelY(area, limit.y, values);
  const named =
    limit === undefined
      ? null
      : placeOnLine(limit.text, across, area, room, [], nameLifts(across - area.top));
  const edge = device === undefined || named !== null ? null : edgeText(device, y, limit !== undefined);
  const inner = {
    ...area,
    left: area.left + 2,
    right: area.width,
    top: edge === null ? 0 : area.top - 8,
  };
  const ends = curves.flatMap(({ id, end }) =>
    end === null || !isShown(end.y, values)
      ? []
      : [{ id, x: pixelX(area, end.x, x.top), y: pixelY(area, end.y, values), text: formatCount(end.x) }],
  );
  // Strategies that end at the same batch need its number once.
  const wishes = ends.filter(
    ({ x: at, text }, i) => !ends.slice(0, i).some((other) => other.x === at && other.text === text),
  );
  const labels = placeLabels(
    wishes,
    inner,
    (box) => room(box) && (named === null || !overlap(box, named.box)),
  );
  return (
    <Plot area={area} x={x} y={y} isClipped>
      {device !== undefined && device.y < y.top && (
        <ReferenceArea
          y1={Math.max(device.y, y.low)}
          y2={y.top}
          fill="var(--zz-raised)"
          fillOpacity={1}
          zIndex={-200}
        />
      )}
      {limit !== undefined && <ReferenceLine y={limit.y} stroke="var(--zz-ink)" strokeDasharray="2 3" />}
      {curves.map((curve) => (
        <PlotLine key={curve.id} curve={curve} />
      ))}
      {curves.map(
        ({ id, end, color }) =>
          end !== null && isShown(end.y, values) && <PlotRing key={id} id={id} {...end} color={color} />,
      )}
      <PlotNotes labels={named === null ? labels : [...labels, named]}>
        {edge !== null && (
          <text x={area.right} y={12} textAnchor="end" fontSize={12} fill="var(--zz-muted)">
            {edge}
          </text>
        )}
      </PlotNotes>
    </Plot>
  );
});
