import type { Operation } from './operation.ts';

/** Operations between GPUs, by PyTorch's names (`torch.ops._c10d_functional`), and attention that gathers keys and values. */
export const COLLECTIVES = [
  'ring_attention',
  'all_reduce',
  'all_gather_into_tensor',
  'reduce_scatter_tensor',
  'all_to_all_single',
] as const;

/** A parameter in autocast's type, in a capture: autocast keeps it until its region ends, so dropping it frees nothing. */
const CACHED_CAST = 'cached_cast';

/** A result of a capture that a kernel wrote which PyTorch does not see, and which recomputation would leave out. */
const WRITTEN_UNSEEN = 'written_unseen';

const RUN_ONCE: ReadonlySet<string> = new Set([...COLLECTIVES, CACHED_CAST, WRITTEN_UNSEEN]);

/** True for an operation that no plan recomputes. */
export const runsOnce = (op: Operation): boolean => op.kind === 'opaque' && RUN_ONCE.has(op.label);

/** Vertices whose operation runs once: 1 each; null if none exists. Time O(V). */
export function verticesRunOnce(operations: readonly Operation[]): Uint8Array | null {
  return operations.some(runsOnce) ? Uint8Array.from(operations, (op) => (runsOnce(op) ? 1 : 0)) : null;
}
