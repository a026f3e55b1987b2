/** A path of vertices v_0 .. v_k; each edge stands for an IS that is folded into it (000, figure 6). */
export interface LinearGraph {
  readonly vertexCost: readonly number[];
  /** Cost of the edge from v_i to v_{i+1}; all zero on an LCG. One shorter than vertexCost. */
  readonly edgeCost: readonly number[];
}

/** l(v_j, v_k) for j < k: everything strictly between the two. */
export function leapCost(graph: LinearGraph, j: number, k: number): number {
  let sum = graph.edgeCost[j]!;
  for (let t = j + 1; t < k; t++) sum += graph.vertexCost[t]! + graph.edgeCost[t]!;
  return sum;
}

/**
 * Algorithm 1 (000), lines 3-4: the checkpoints of least cost such that no leap between neighbours
 * exceeds C, by a shortest path through the Accessibility Graph. Ends excluded, ascending; undefined
 * when a single edge exceeds C. O(k^3).
 */
export function solveLinearUnder(graph: LinearGraph, maxTerm: number): readonly number[] | undefined {
  const size = graph.vertexCost.length;
  const least = new Array<number>(size).fill(Number.POSITIVE_INFINITY);
  const previous = new Array<number>(size).fill(-1);
  least[0] = 0;
  for (let k = 1; k < size; k++) {
    for (let j = 0; j < k; j++) {
      if (leapCost(graph, j, k) > maxTerm) continue;
      const cost = least[j]! + (k < size - 1 ? graph.vertexCost[k]! : 0);
      if (cost >= least[k]!) continue;
      least[k] = cost;
      previous[k] = j;
    }
  }
  if (least[size - 1] === Number.POSITIVE_INFINITY) return undefined;
  const checkpoints: number[] = [];
  for (let k = previous[size - 1]!; k > 0; k = previous[k]!) checkpoints.push(k);
  return checkpoints.reverse();
}

/**
 * Algorithm 1 (000): the minimum of Eq. 1, over the cost of every vertex pair as max term C. Returns
 * Eq. 1 of the best checkpoints. O(k^5) as written; `solveLinear` does the same in near-linear time.
 */
export function solveLinearByPairs(graph: LinearGraph): { checkpoints: readonly number[]; cost: number } {
  const size = graph.vertexCost.length;
  let best: { checkpoints: readonly number[]; cost: number } | undefined;
  for (let j = 0; j < size; j++) {
    for (let k = j + 1; k < size; k++) {
      const checkpoints = solveLinearUnder(graph, leapCost(graph, j, k));
      if (checkpoints === undefined) continue;
      const cost = linearCost(graph, checkpoints);
      if (best === undefined || cost < best.cost) best = { checkpoints, cost };
    }
  }
  return best!;
}

/** Eq. 1: the sum over the checkpoints plus the largest leap between neighbours, ends included. */
export function linearCost(graph: LinearGraph, checkpoints: readonly number[]): number {
  const stops = [0, ...checkpoints, graph.vertexCost.length - 1];
  const leaps = stops.slice(1).map((stop, i) => leapCost(graph, stops[i]!, stop));
  return (
    checkpoints.reduce((sum, k) => sum + graph.vertexCost[k]!, 0) +
    leaps.reduce((most, leap) => Math.max(most, leap))
  );
}
