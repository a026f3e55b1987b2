import { type Axis, rangeOf } from '../../../shared/charts/axis.ts';
import type { PlotCardProps } from '../../../shared/charts/PlotCard.tsx';
import { leastOf } from '../../../shared/charts/step-curves.ts';
import { ValueCard } from '../../../shared/charts/ValueCard.tsx';
import layout from '../../../shared/layout/layout.module.css';
import { type Store, useStore } from '../../../shared/store.ts';
import { type LimitCurve, valueAt } from './memory-lines.ts';
import { Readout } from '../../../shared/charts/Readout.tsx';
import { isShown, pixelX, pixelY, type PlotArea, type Values } from '../../../shared/charts/plot-area.ts';
import { StepCursor } from '../../../shared/charts/StepCursor.tsx';
import { batchText } from '../../../../app/report/words.ts';
import { formatCount } from '../../../shared/format/numbers.ts';
import { memo } from 'react';
import { ReferenceArea, ReferenceLine } from 'recharts';
import { level, roomBetween } from '../../../shared/charts/curve-room.ts';
import { overlap, placeLabels, placeOnLine } from '../../../shared/charts/place-labels.ts';
import { Plot } from '../../../shared/plot/Plot.tsx';
import { PlotLine } from '../../../shared/plot/PlotLine.tsx';
import { PlotNotes } from '../../../shared/plot/PlotNotes.tsx';
import { PlotRing } from '../../../shared/plot/PlotRing.tsx';

type Card = Pick<
  PlotCardProps,
  'title' | 'testId' | 'summary' | 'fileName' | 'height' | 'data' | 'table' | 'footer' | 'axisTitles'
>;

export interface BatchChartProps extends Card, Pick<LimitPlotProps, 'limit'> {
  readonly x: Axis;
  readonly y: Axis;
  readonly curves: readonly LimitCurve[];
  readonly cursor: Store<number | null>;
  readonly format: (value: number) => string;
  readonly note: string;
  readonly idle: string;
  readonly nothing: string;
  readonly isSolving: boolean;
}

export function BatchChart(props: BatchChartProps) {
  const { x, y, curves, limit, cursor, format, note, idle, nothing, isSolving, footer, ...card } = props;
  return (
    <ValueCard
      {...card}
      axis={y}
      least={leastOf(curves)}
      legend={curves}
      tools={<span className={layout['note']}>{note}</span>}
      empty={curves.length === 0 ? (isSolving ? 'Solving…' : nothing) : undefined}
      plot={(area, shown) => <LimitPlot area={area} x={x} y={shown} curves={curves} limit={limit} />}
      overlay={(area, shown) => (
        <BatchCursor
          area={area}
          end={x.top}
          top={rangeOf(shown)}
          cursor={cursor}
          curves={curves}
          format={format}
        />
      )}
      footer={
        <>
          <BatchReadout cursor={cursor} curves={curves} format={format} idle={idle} />
          {footer}
        </>
      }
    />
  );
}

interface CurvesAt {
  readonly cursor: Store<number | null>;
  readonly curves: readonly LimitCurve[];
  readonly format: (value: number) => string;
}

interface BatchCursorProps extends CurvesAt {
  readonly area: PlotArea;
  readonly end: number;
  readonly top: Values;
}

const batchOf = (place: number): number => Math.max(1, Math.round(place));

function valuesAt(curves: readonly LimitCurve[], batch: number): { curve: LimitCurve; value: number }[] {
  return curves
    .filter(({ points }) => batch <= (points.at(-1)?.x ?? 0))
    .map((curve) => ({ curve, value: valueAt(curve.points, batch) }));
}

function BatchCursor({ area, end, top, cursor, curves, format }: BatchCursorProps) {
  const onKey = (key: string, big: boolean, place: number | null): number | null => {
    const at = place === null ? 0 : batchOf(place);
    const by = big ? 10 : 1;
    if (key === 'ArrowRight') return Math.min(end, at + by);
    if (key === 'ArrowLeft') return Math.max(1, at - by);
    if (key === 'Home') return 1;
    return key === 'End' ? end : null;
  };
  return (
    <StepCursor
      area={area}
      end={end}
      topBytes={top}
      cursor={cursor}
      label="Batch size"
      onKey={onKey}
      dotsAt={(place) =>
        valuesAt(curves, batchOf(place)).map(({ curve, value }) => ({
          id: curve.id,
          y: value,
          color: curve.color,
        }))
      }
      describe={(place) => sayAll(curves, batchOf(place), format)}
    />
  );
}

function sayAll(curves: readonly LimitCurve[], batch: number, format: (value: number) => string): string {
  const values = valuesAt(curves, batch).map(({ curve, value }) => `${curve.title} ${format(value)}`);
  return `Batch ${formatCount(batch)}: ${values.length === 0 ? 'nothing fits' : values.join(', ')}`;
}

function BatchReadout({ cursor, curves, format, idle }: CurvesAt & { readonly idle: string }) {
  const place = useStore(cursor);
  return <Readout>{place === null ? idle : sayAll(curves, batchOf(place), format)}</Readout>;
}

interface LimitPlotProps {
  readonly area: PlotArea;
  readonly x: Axis;
  readonly y: Axis;
  readonly curves: readonly LimitCurve[];
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

const LimitPlot = memo(function LimitPlot({ area, x, y, curves, limit: device }: LimitPlotProps) {
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
  const inner = { ...area, left: area.left + 2, right: area.width, top: edge === null ? 0 : area.top - 8 };
  const ends = curves.flatMap(({ id, end, color }) =>
    end === null || !isShown(end.y, values)
      ? []
      : [
          {
            id,
            color,
            x: pixelX(area, end.x, x.top),
            y: pixelY(area, end.y, values),
            text: batchText(end.x),
          },
        ],
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
