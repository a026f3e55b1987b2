import { type DeviceSpeed, samplesPerSecond } from '../../../../engine/limits/throughput.ts';
import type { ChartTable } from '../../../shared/charts/csv.ts';
import { formatCount, threeDigits } from '../../../shared/format/numbers.ts';
import type { Counted } from '../state/counted.ts';
import { type LimitCurve, lookOf } from '../memory/memory-lines.ts';
import type { LimitRow } from '../state/rows.ts';

const SAMPLES = 96;

/** Each curve ends where its memory does. */
export function throughputCurves(
  rows: readonly LimitRow[],
  speed: DeviceSpeed,
  { perSample }: Counted,
): LimitCurve[] {
  return rows.flatMap((row) => {
    const { work, batch } = row;
    if (work === null || batch === null || batch === 0) return [];
    const at = (b: number) => ({ x: b, y: perSample * samplesPerSecond(work, speed, b) });
    // Denser where the curve bends: half of the places grow by a constant factor.
    const places = new Set<number>([1, batch]);
    for (let i = 1; i < SAMPLES; i++) {
      places.add(Math.max(1, Math.round((i / SAMPLES) * batch)));
      places.add(Math.max(1, Math.round(batch ** (i / SAMPLES))));
    }
    const points = [...places].sort((a, b) => a - b).map(at);
    return [{ ...lookOf(row), points, end: at(batch) }];
  });
}

export function throughputTable(rows: readonly LimitRow[], counted: Counted): ChartTable {
  return {
    caption: `${counted.rate} at the largest batch, predicted`,
    columns: ['Strategy', 'Largest batch', counted.rate, 'As fast as regular from batch'],
    rows: rows
      .filter(({ rate }) => rate !== null)
      .map(({ identity, batch, rate, paysFrom }) => [
        identity.title,
        formatCount(batch ?? 0),
        threeDigits((rate ?? 0) * counted.perSample),
        paysFrom === null ? null : formatCount(paysFrom),
      ]),
  };
}

export function throughputData(curves: readonly LimitCurve[], { rate }: Counted): ChartTable {
  return {
    caption: `${rate}, predicted`,
    columns: ['strategy', 'batch', rate.toLowerCase().replaceAll(' ', '_')],
    rows: curves.flatMap(({ id, points }) => points.map(({ x, y }) => [id, x, y])),
  };
}
