import type { Timeline } from '../simulate/simulate.ts';

/** Bytes as a function of the batch: `fixed + batch * perSample`. */
export interface ByteLine {
  readonly fixed: number;
  readonly perSample: number;
}

/**
 * The peak of a schedule as a function of the batch. The live bytes of every step are an affine function of
 * the batch, so the peak is the upper envelope of those lines: convex, and described by the few that are
 * highest somewhere, by growing slope. Time O(steps).
 *
 * @param one the timeline of the schedule at batch 1
 * @param two the same at batch 2
 */
export function peakLines(one: Timeline, two: Timeline): ByteLine[] {
  const perSample = one.live.map((bytes, step) => (two.live[step] ?? 0) - bytes);
  const fixed = one.live.map((bytes, step) => bytes - perSample[step]!);
  return highestOf(perSample, fixed).map((step) => ({ perSample: perSample[step]!, fixed: fixed[step]! }));
}

/** Lines that are highest at some batch from 1 on, by growing slope. */
export const highestLines = <Line extends ByteLine>(lines: readonly Line[]): Line[] =>
  highestOf(
    lines.map(({ perSample }) => perSample),
    lines.map(({ fixed }) => fixed),
  ).map((i) => lines[i]!);

/** The same of lines that are columns, by their indices. Time O(n + s log s) for s slopes. */
export function highestOf(perSample: ArrayLike<number>, fixed: ArrayLike<number>): number[] {
  const highest = new Map<number, number>();
  for (let i = 0; i < perSample.length; i++) {
    const other = highest.get(perSample[i]!);
    if (other === undefined || fixed[i]! >= fixed[other]!) highest.set(perSample[i]!, i);
  }
  const atOne = (i: number): number => fixed[i]! + perSample[i]!;
  /** Batch at which the steeper line passes the other. */
  const meets = (flat: number, steep: number): number =>
    (fixed[flat]! - fixed[steep]!) / (perSample[steep]! - perSample[flat]!);
  const hull: number[] = [];
  for (const i of [...highest.values()].sort((a, b) => perSample[a]! - perSample[b]!)) {
    // A line that is not above the last one where the batch counts from never is above it before.
    while (hull.length > 0 && atOne(hull.at(-1)!) <= atOne(i)) hull.pop();
    while (hull.length > 1 && meets(hull.at(-2)!, i) <= meets(hull.at(-2)!, hull.at(-1)!)) hull.pop();
    hull.push(i);
  }
  return hull;
}

const bytesAtBatch = (line: ByteLine, batch: number): number => line.fixed + batch * line.perSample;

export function peakAt(lines: readonly ByteLine[], batch: number): number {
  return lines.reduce((peak, line) => Math.max(peak, bytesAtBatch(line, batch)), 0);
}

/** The largest batch from 0 to `most` whose peak is at most `bytes`. Exact: one division a line. */
export function batchWithin(lines: readonly ByteLine[], bytes: number, most: number): number {
  let batch = most;
  for (const { fixed, perSample } of lines) {
    if (perSample > 0) batch = Math.min(batch, Math.floor((bytes - fixed) / perSample));
    else if (fixed > bytes) return 0;
  }
  return Math.max(0, batch);
}
