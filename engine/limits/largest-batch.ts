import { type HeldLine, heldAt, largestBatch } from '../training-memory/held.ts';
import { MAX_BATCH } from '../options/sizes.ts';
import { type ByteLine, peakAt } from './peak-lines.ts';

/** The largest batch of a schedule; 0 where not even one sample fits. Bytes. */
export interface BatchLimit {
  readonly batch: number;
  /** True if the limit is the largest batch that the zoo builds rather than the memory. */
  readonly capped: boolean;
  /** Live bytes of a step at that batch. */
  readonly peakBytes: number | null;
  /** Everything that is held at that batch. */
  readonly heldBytes: number | null;
  /** Need of a batch of one, so that "does not fit" says how much is missing. */
  readonly leastBytes: number;
}

/**
 * The largest batch of a schedule in a memory, of which the context is already taken off.
 *
 * @param lines its peak against the batch
 * @param held everything that is held against the batch
 */
export function batchLimit(
  lines: readonly ByteLine[],
  held: readonly HeldLine[],
  memoryBytes: number,
): BatchLimit {
  const batch = largestBatch(held, memoryBytes, 0);
  return {
    batch,
    capped: batch === MAX_BATCH,
    peakBytes: batch === 0 ? null : peakAt(lines, batch),
    heldBytes: batch === 0 ? null : heldAt(held, batch, 0).totalBytes,
    leastBytes: heldAt(held, 1, 0).totalBytes,
  };
}
