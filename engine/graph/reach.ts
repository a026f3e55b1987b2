import { type Graph, predecessorsOf, successorsOf } from './graph.ts';

/** By vertex: 1 where some path leads there from v, and at v itself. O(V + E) */
export function reachedFrom(graph: Graph, v: number): Uint8Array {
  const isReached = new Uint8Array(graph.size);
  isReached[v] = 1;
  for (let w = v + 1; w < graph.size; w++)
    if (predecessorsOf(graph, w).some((u) => isReached[u] === 1)) isReached[w] = 1;
  return isReached;
}

/** By vertex: 1 where some path leads from there to v, and at v itself. O(V + E) */
export function reaching(graph: Graph, v: number): Uint8Array {
  const reaches = new Uint8Array(graph.size);
  reaches[v] = 1;
  for (let u = v - 1; u >= 0; u--) if (successorsOf(graph, u).some((w) => reaches[w] === 1)) reaches[u] = 1;
  return reaches;
}
