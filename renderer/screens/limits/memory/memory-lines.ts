import type { ChartTable } from '../../../shared/charts/csv.ts';
import { formatBytes } from '../../../shared/format/bytes.ts';
import { formatCount } from '../../../shared/format/numbers.ts';
import { colorOf } from '../../../state/strategies/identity.ts';
import type { Point } from '../../../shared/charts/step-curves.ts';
import type { PlotCurve } from '../../../shared/plot/PlotLine.tsx';
import { bytesAt, type LimitRow } from '../state/rows.ts';

export interface LimitCurve extends PlotCurve {
  /** End of the curve on this device: the largest batch that fits. */
  readonly end: Point | null;
}

/** A logarithmic axis bends the line where batches are few, so they are closer there. */
const CLOSER = 1.2;

/** Corners of the curves: the ends of the axis, the limit, and where one line takes over from another. */
const SAMPLES = 48;

export function memoryCurves(rows: readonly LimitRow[], contextBytes: number, end: number): LimitCurve[] {
  return rows.flatMap((row) => {
    const { limit, batch } = row;
    if (limit === null) return [];
    const at = (b: number): Point => ({ x: b, y: bytesAt(limit, b, contextBytes) });
    const batches = new Set([1, ...(batch !== null && batch > 0 ? [batch] : []), end]);
    for (let i = 1; i < SAMPLES; i++) batches.add(Math.max(1, Math.round((i / SAMPLES) * end)));
    for (let b = 1; b < end; b *= CLOSER) batches.add(Math.round(b));
    const points = [...batches].sort((a, b) => a - b).map(at);
    return [{ ...lookOf(row), points, end: batch === null || batch === 0 ? null : at(batch) }];
  });
}

export function lookOf({ identity }: Pick<LimitRow, 'identity'>): Omit<LimitCurve, 'points' | 'end'> {
  const { name, title, dash, width } = identity;
  return { id: name, title, color: colorOf(identity), dash, width };
}

export function memoryTable(curves: readonly LimitCurve[], ticks: readonly number[]): ChartTable {
  const batches = ticks.filter((batch) => batch >= 1);
  return {
    caption: 'Memory of the device against the batch',
    columns: ['Batch', ...curves.map(({ title }) => title)],
    rows: batches.map((batch) => [
      formatCount(batch),
      ...curves.map(({ points }) => formatBytes(valueAt(points, batch))),
    ]),
  };
}

export function memoryData(
  rows: readonly LimitRow[],
  contextBytes: number,
  ticks: readonly number[],
): ChartTable {
  return {
    caption: 'Bytes on the device against the batch',
    columns: ['strategy', 'batch', 'bytes', 'largest_batch'],
    rows: rows.flatMap(({ identity, limit, batch }) =>
      limit === null
        ? []
        : [...new Set([1, ...ticks.filter((b) => b >= 1), ...(batch ? [batch] : [])])]
            .sort((a, b) => a - b)
            .map((b) => [identity.name, b, bytesAt(limit, b, contextBytes), batch]),
    ),
  };
}

export function valueAt(points: readonly Point[], x: number): number {
  const after = points.findIndex((point) => point.x >= x);
  const b = points[after === -1 ? points.length - 1 : after];
  const a = points[Math.max(0, (after === -1 ? points.length : after) - 1)];
  if (a === undefined || b === undefined || b.x === a.x) return b?.y ?? 0;
  return a.y + ((b.y - a.y) * (Math.min(x, b.x) - a.x)) / (b.x - a.x);
}
