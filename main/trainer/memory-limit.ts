import { formatBytes } from '../../engine/bytes.ts';
import { OutOfMemoryError } from './errors.ts';

/** Most bytes that a run may hold. */
export interface MemoryLimit {
  /** Null if unknown. */
  readonly limitBytes: number | null;
  /** Who sets the limit: `the cap`. */
  readonly whose: string;
}

/**
 * @param step what needs the bytes, as the subject of a sentence @throws OutOfMemoryError if it needs more than the
 *   limit
 */
export function requireFits(bytes: number, { limitBytes, whose }: MemoryLimit, step = 'one step'): void {
  if (limitBytes === null || bytes <= limitBytes) return;
  throw new OutOfMemoryError(
    `${step} needs ${formatBytes(bytes)}, parameters and their gradients included, and ${whose} allows ${formatBytes(limitBytes)}; choose a smaller batch, a smaller input or another strategy`,
    bytes,
  );
}
