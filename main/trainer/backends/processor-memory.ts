import { totalmem } from 'node:os';

/** Bytes that a process of this machine can have: all of its memory, or what its container allows. */
export function processorMemory(): number {
  const allowed = process.constrainedMemory();
  return allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
}
