import { MAX_BATCH } from '../zoo/zoo.ts';
import { type ByteLine, batchWithin, peakAt } from './peak-lines.ts';

/** The largest batch of a schedule; 0 where not even one sample fits. Bytes. */
export interface BatchLimit {
  readonly batch: number;
  /** Whether the limit is the largest batch that the zoo builds rather than the memory. */
  readonly capped: boolean;
  /** Live bytes of a step at that batch. */
  readonly peakBytes: number | null;
  /** What a batch of one needs, so that "does not fit" says how much is missing. */
  readonly leastBytes: number;
}

/** The largest batch of a schedule whose peak is given as lines, in a memory that also holds `stationaryBytes`. */
export function batchLimit(
  lines: readonly ByteLine[],
  memoryBytes: number,
  stationaryBytes: number,
): BatchLimit {
  const batch = batchWithin(lines, memoryBytes - stationaryBytes, MAX_BATCH);
  return {
    batch,
    capped: batch === MAX_BATCH,
    peakBytes: batch === 0 ? null : peakAt(lines, batch),
    leastBytes: stationaryBytes + peakAt(lines, 1),
  };
}
