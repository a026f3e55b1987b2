import { type Graph, predecessorsOf } from '../graph/graph.ts';
import type { OneLevelPlan } from './one-level.ts';

/**
 * Turns any set of activations to keep into segments of operations, whether or not it cuts the graph into
 * single-entry pieces: an operation lies in segment k where the longest run of kept activations among its
 * ancestors has k of them. These are lower sets that grow (SPEC D11), a kept activation closes the segment
 * that makes it, and activations of which neither needs the other close one together, as {a, b} and {c, d}
 * of two towers do (002, "Beyond simple feed-forward"). Time O(V + E), space O(V).
 *
 * @param kept operations, in any order
 */
export function lowerSetSegments(graph: Graph, kept: readonly number[]): OneLevelPlan {
  const isKept = new Uint8Array(graph.size);
  for (const v of kept) isKept[v] = 1;
  // The source is there throughout, so keeping it starts no segment.
  isKept[0] = 0;
  const level = new Int32Array(graph.size);
  const segments: number[][] = [];
  for (let v = 1; v < graph.size; v++) {
    let own = 0;
    for (const u of predecessorsOf(graph, v)) own = Math.max(own, level[u]! + isKept[u]!);
    level[v] = own;
    const segment = segments[own];
    if (segment === undefined) segments[own] = [v];
    else segment.push(v);
  }
  isKept[graph.size - 1] = 1;
  return { segments, kept: isKept, recomputeLast: true };
}
