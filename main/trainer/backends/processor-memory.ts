import { totalmem } from 'node:os';

/** Bytes that a process on this machine can use: all memory, or the container's limit. */
export function processorMemory(): number {
  const allowed = process.constrainedMemory();
  return allowed > 0 ? Math.min(allowed, totalmem()) : totalmem();
}
