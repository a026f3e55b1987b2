import type { Operation } from './operation.ts';

/** Operations between GPUs, by PyTorch's names (`torch.ops._c10d_functional`), and attention that gathers keys and values. */
export const COLLECTIVES = [
  'ring_attention',
  'all_reduce',
  'all_gather_into_tensor',
  'reduce_scatter_tensor',
  'all_to_all_single',
] as const;

/** True for an operation between GPUs: no plan recomputes it. */
export const isCollective = (op: Operation): boolean =>
  op.kind === 'opaque' && COLLECTIVES.some((name) => name === op.label);

/** Vertices of operations between GPUs: 1 each; null if none exists. Time O(V). */
export function collectivesOf(operations: readonly Operation[]): Uint8Array | null {
  const found = Uint8Array.from(operations, (op) => (isCollective(op) ? 1 : 0));
  return found.includes(1) ? found : null;
}
