import { type Graph, predecessorsOf, successorsOf } from '../../engine/graph/graph.ts';

/** The minimum over every set B that gradient-cut.ts speaks of, one by one. */
export function leastOverAllSets(graph: Graph, gradientBytes: Float64Array, v: number): number {
  const inputs = new Set(predecessorsOf(graph, v));
  const ancestors = new Set([v]);
  for (let u = v; u >= 0; u--) if (successorsOf(graph, u).some((w) => ancestors.has(w))) ancestors.add(u);
  let least = Number.POSITIVE_INFINITY;
  for (let set = 0; set < 1 << graph.size; set++) {
    const has = (u: number): boolean => ((set >> u) & 1) === 1;
    let legal = successorsOf(graph, v).every(has);
    let bytes = 0;
    for (let u = 0; u < graph.size && legal; u++) {
      const consumers = successorsOf(graph, u);
      if (has(u)) legal = !ancestors.has(u) && consumers.every(has);
      else if (u !== v && !inputs.has(u) && consumers.some(has)) bytes += gradientBytes[u] ?? 0;
    }
    if (legal) least = Math.min(least, bytes);
  }
  return least;
}
