import { type Held, heldAt, type HeldLine, largestBatch } from './held.ts';

/** Memory of a device, and its context's part; bytes. */
export interface Room {
  readonly memoryBytes: number;
  readonly contextBytes: number;
}

/** Verdict on training under a plan on a device, with all that it holds there. */
export interface Verdict extends Held {
  readonly fits: boolean;
  /** Missing bytes; 0 where it fits. */
  readonly overBytes: number;
  /** The largest batch that fits; 0 where not even one sample does. */
  readonly largestBatch: number;
}

/**
 * The verdict on one plan, the same for `zigzag fit` and for every row of the lab.
 *
 * @param held everything that the plan holds against the batch; empty where there is no plan, which has no verdict
 */
export function verdictOf(held: readonly HeldLine[], batch: number, room: Room): Verdict | null {
  if (held.length === 0) return null;
  const { memoryBytes, contextBytes } = room;
  const most = heldAt(held, batch, contextBytes);
  const overBytes = Math.max(0, most.totalBytes - memoryBytes);
  return {
    ...most,
    fits: overBytes === 0,
    overBytes,
    largestBatch: largestBatch(held, memoryBytes, contextBytes),
  };
}
