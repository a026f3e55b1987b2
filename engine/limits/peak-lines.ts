import type { Timeline } from '../simulate/simulate.ts';

/** Bytes as a function of the batch: `fixed + batch * perSample`. */
export interface ByteLine {
  readonly fixed: number;
  readonly perSample: number;
}

/**
 * The peak of a schedule as a function of the batch. The live bytes of every step are an affine function of
 * the batch, so the peak is the upper envelope of those lines: convex, and described by the few that are
 * highest somewhere, by growing slope. Time O(steps log steps).
 *
 * @param one the timeline of the schedule at batch 1
 * @param two the same at batch 2
 */
export function peakLines(one: Timeline, two: Timeline): ByteLine[] {
  const lines = Array.from(one.live, (bytes, step): ByteLine => {
    const perSample = (two.live[step] ?? 0) - bytes;
    return { perSample, fixed: bytes - perSample };
  });
  return highestLines(lines);
}

/** Lines that are highest at some batch from 1 on, by growing slope. Time O(n log n). */
export function highestLines<Line extends ByteLine>(lines: readonly Line[]): Line[] {
  const hull: Line[] = [];
  for (const line of [...lines].sort((a, b) => a.perSample - b.perSample || a.fixed - b.fixed)) {
    // A line that is not above the last one where the batch counts from never is above it before.
    while (hull.length > 0 && bytesAtBatch(hull[hull.length - 1]!, 1) <= bytesAtBatch(line, 1)) hull.pop();
    while (
      hull.length > 1 &&
      meets(hull[hull.length - 2]!, line) <= meets(hull[hull.length - 2]!, hull[hull.length - 1]!)
    ) {
      hull.pop();
    }
    hull.push(line);
  }
  return hull;
}

const bytesAtBatch = (line: ByteLine, batch: number): number => line.fixed + batch * line.perSample;

/** Batch at which the steeper line passes the other. */
const meets = (flat: ByteLine, steep: ByteLine): number =>
  (flat.fixed - steep.fixed) / (steep.perSample - flat.perSample);

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
