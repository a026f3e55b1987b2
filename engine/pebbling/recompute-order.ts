import { type Graph, predecessorsOf } from '../graph/graph.ts';
import type { MemoryModel } from '../ops/memory-model.ts';

/** Largest number of operations that is searched: a state is a set of pebbles. */
const MAX_OPERATIONS = 18;

/**
 * The forward of least peak where a value may be taken away and computed again before it is read the last time, and of
 * those one with the fewest moves.
 *
 * - Source: article 002, "pick nodes to recompute during forward pass" (skip connections); the pebble game of Sethi 1975
 *   with pebbles that may be placed again.
 * - Guarantee: the least peak of all such forwards.
 * - Time O(2^V V) for each peak tried, of which there are few; space O(2^V).
 * - Assumptions: at most 18 operations, each with storage of its own.
 * - Departures: none.
 *
 * @returns operations in the order of their moves, repeats among them, or one sentence that says why none is searched
 */
export function recomputeOrder(
  graph: Graph,
  { outputBytes, takesOver, viewOf }: MemoryModel,
): Int32Array | string {
  const count = graph.size - 1;
  if (count > MAX_OPERATIONS)
    return `this network has ${count} operations, and at most ${MAX_OPERATIONS} are searched`;
  if (takesOver.some((v) => v >= 0) || viewOf.some((v) => v >= 0))
    return 'some operations work in place or are views of another value';
  const sizes = outputBytes.slice(1);
  const needs = Array.from(sizes, (_, i) =>
    predecessorsOf(graph, i + 1).reduce((mask, u) => (u === 0 ? mask : mask | (1 << (u - 1))), 0),
  );
  for (let limit = 0; ; ) {
    const found = fewestMoves(sizes, needs, limit);
    if (typeof found !== 'number') return found;
    limit = found;
  }
}

/** The moves of a forward within the limit, or the least that a refused move would have held. */
function fewestMoves(sizes: Float64Array, needs: readonly number[], limit: number): Int32Array | number {
  const states = 2 ** sizes.length;
  const target = states >> 1;
  const bytes = new Float64Array(states);
  for (let mask = 1; mask < states; mask++) {
    bytes[mask] = bytes[mask & (mask - 1)]! + sizes[Math.log2(mask & -mask)]!;
  }
  const parent = new Int32Array(states).fill(-1);
  const placed = new Int8Array(states);
  let refused = Number.POSITIVE_INFINITY;
  parent[0] = 0;
  for (let level = [0]; level.length > 0; ) {
    // Taking pebbles away is free: a level has every subset of its sets that no earlier level had.
    for (const mask of level) {
      for (let v = 0; v < sizes.length; v++) {
        const less = mask & ~(1 << v);
        if (parent[less]! >= 0) continue;
        parent[less] = mask;
        level.push(less);
      }
    }
    const next: number[] = [];
    for (const mask of level) {
      for (let v = 0; v < sizes.length; v++) {
        const more = mask | (1 << v);
        if (parent[more]! >= 0 || (needs[v]! & mask) !== needs[v]) continue;
        if (bytes[more]! > limit) {
          refused = Math.min(refused, bytes[more]!);
          continue;
        }
        parent[more] = mask;
        placed[more] = v + 1;
        if ((more & target) !== 0) return movesTo(more, parent, placed);
        next.push(more);
      }
    }
    level = next;
  }
  return refused;
}

function movesTo(end: number, parent: Int32Array, placed: Int8Array): Int32Array {
  const moves: number[] = [];
  for (let mask = end; mask !== 0; mask = parent[mask]!) if (placed[mask]! > 0) moves.push(placed[mask]!);
  return Int32Array.from(moves.reverse());
}
