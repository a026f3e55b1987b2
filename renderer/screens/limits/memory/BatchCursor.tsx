import { Readout } from '../../../shared/charts/Readout.tsx';
import type { PlotArea, Values } from '../../../shared/charts/plot-area.ts';
import { StepCursor } from '../../../shared/charts/StepCursor.tsx';
import { formatCount } from '../../../shared/format/numbers.ts';
import { type Store, useStore } from '../../../shared/store.ts';
import { type LimitCurve, valueAt } from './memory-lines.ts';

interface CurvesAt {
  readonly cursor: Store<number | null>;
  readonly curves: readonly LimitCurve[];
  readonly format: (value: number) => string;
}

export interface BatchCursorProps extends CurvesAt {
  readonly area: PlotArea;
  readonly end: number;
  readonly top: Values;
}

const batchOf = (place: number): number => Math.max(1, Math.round(place));

/** Curves that reach a batch, with their values there. */
function valuesAt(curves: readonly LimitCurve[], batch: number): { curve: LimitCurve; value: number }[] {
  return curves
    .filter(({ points }) => batch <= (points.at(-1)?.x ?? 0))
    .map((curve) => ({ curve, value: valueAt(curve.points, batch) }));
}

/** The cursor over a chart of batch sizes; both charts of the screen share it. */
export function BatchCursor({ area, end, top, cursor, curves, format }: BatchCursorProps) {
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

/** The values under the cursor in one line of constant height. */
export function BatchReadout({ cursor, curves, format, idle }: CurvesAt & { readonly idle: string }) {
  const place = useStore(cursor);
  return <Readout>{place === null ? idle : sayAll(curves, batchOf(place), format)}</Readout>;
}
