import { outEdgesOf, type TensorGraph } from '../../paper/tensor-graph.ts';
import { tensorId } from '../strategy/from-checkpoints.ts';
import type { Problem } from '../strategy/strategy.ts';
import { setRoot } from '../../paper/set-root.ts';

/**
 * The chain of splitting vertices of a graph: those that every path from source to target passes
 * (Definition 2 of paper 000 on the whole graph; articulation points in articles 002 and 003), in order,
 * with source and target at its ends. Gap i lies between vertices i and i + 1 of the chain.
 */
export interface SplittingChain {
  readonly vertices: readonly number[];
  /** Cost of all vertices inside gap i. */
  readonly inside: Float64Array;
  /** Cost of the largest segment in gap i when both its ends are checkpoints (branches count one by one). */
  readonly largest: Float64Array;
}

/**
 * A vertex splits the graph exactly when no edge jumps over it in topological order: every other
 * vertex lies on a path from source to target, so if all of these pass v, each vertex is an ancestor
 * or a descendant of v, and an edge over v would bypass it.
 * Time and space O(V + E) up to the inverse Ackermann function.
 */
export function splittingChain(tensors: TensorGraph): SplittingChain {
  const { size, edgeFrom, edgeTo, edgeCount, cost } = tensors;
  const over = new Int32Array(size + 1);
  for (let e = 0; e < edgeCount; e++) {
    // The edge jumps over from+1 .. to-1.
    over[edgeFrom[e]! + 1]!++;
    over[edgeTo[e]!]!--;
  }
  const vertices: number[] = [];
  const gapOf = new Int32Array(size).fill(-1);
  let jumping = 0;
  for (let v = 0; v < size; v++) {
    jumping += over[v]!;
    if (jumping === 0) vertices.push(v);
    else gapOf[v] = vertices.length - 1;
  }
  const gaps = vertices.length - 1;
  const inside = new Float64Array(gaps);
  const largest = new Float64Array(gaps);
  const parent = Int32Array.from({ length: size }, (_, v) => v);
  for (let e = 0; e < edgeCount; e++) {
    const a = edgeFrom[e]!;
    const b = edgeTo[e]!;
    if (gapOf[a]! >= 0 && gapOf[b]! >= 0) parent[setRoot(parent, b)] = setRoot(parent, a);
  }
  const componentCost = new Float64Array(size);
  for (let v = 0; v < size; v++) {
    const gap = gapOf[v]!;
    if (gap < 0) continue;
    const root = setRoot(parent, v);
    componentCost[root]! += cost[v]!;
    inside[gap]! += cost[v]!;
    largest[gap] = Math.max(largest[gap]!, componentCost[root]!);
  }
  return { vertices, inside, largest };
}

/** Eq. 2 of checkpoints given as ascending positions in the chain, its ends excluded. Time O(chain). */
export function chainCost(tensors: TensorGraph, chain: SplittingChain, positions: readonly number[]): number {
  let checkpoints = 0;
  let largestSegment = 0;
  let from = 0;
  for (const to of [...positions, chain.vertices.length - 1]) {
    let segment = to === from + 1 ? chain.largest[from]! : 0;
    if (to > from + 1) {
      // Vertices of the chain that are no checkpoints tie all that lies between into one segment.
      for (let gap = from; gap < to; gap++) segment += chain.inside[gap]!;
      for (let i = from + 1; i < to; i++) segment += tensors.cost[chain.vertices[i]!]!;
    }
    largestSegment = Math.max(largestSegment, segment);
    if (to < chain.vertices.length - 1) checkpoints += tensors.cost[chain.vertices[to]!]!;
    from = to;
  }
  return checkpoints + largestSegment;
}

export const NO_INNER_VERTEX = 'there is no vertex between source and target';

/** Why a strategy that works on the chain has nothing to work on; null when there is an inner splitting vertex. */
export function whyNoChain(problem: Problem, chain: SplittingChain): string | null {
  if (chain.vertices.length > 2) return null;
  const { tensors } = problem.view;
  if (tensors.size === 2) return NO_INNER_VERTEX;
  // Some edge jumps over vertex 1, else it would split; it starts at the source, as nothing else is before.
  for (const e of outEdgesOf(tensors, 0)) {
    if (tensors.edgeTo[e]! > 1) {
      const from = tensorId(problem, 0);
      const to = tensorId(problem, tensors.edgeTo[e]!);
      return `no splitting vertex: every vertex can be bypassed, ${tensorId(problem, 1)} by the edge from ${from} to ${to}`;
    }
  }
  return 'no splitting vertex';
}
