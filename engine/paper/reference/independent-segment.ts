import type { TensorGraph } from '../tensor-graph.ts';

/**
 * An independent segment s_ij (000, Definition 1; "closed set" in 001, Definition 1). Several may share
 * their ends (the branches of a Branch IS), so an IS is known by its edges, not by its ends.
 */
export interface IndependentSegment {
  readonly source: number;
  readonly target: number;
  /** The vertices strictly inside, ascending. */
  readonly inside: readonly number[];
  /** Edge ids in order of (from, to, id): one pass over them follows all paths. */
  readonly edges: readonly number[];
}

/** The largest IS of all: the graph itself. O(V + E). */
export function wholeGraph(graph: TensorGraph): IndependentSegment {
  return {
    source: 0,
    target: graph.size - 1,
    inside: Array.from({ length: graph.size - 2 }, (_, i) => i + 1),
    edges: inPathOrder(
      graph,
      Array.from({ length: graph.edgeCount }, (_, e) => e),
    ),
  };
}

/**
 * Definition 1: the vertices inside lie between the ends, all their edges belong to the segment, and
 * none of these leads out of it. Beside them the segment may have edges from source to target, all
 * or some (001, Definition 1, property 2). O(V + E).
 */
export function isIndependentSegment(graph: TensorGraph, s: IndependentSegment): boolean {
  const inside = new Set(s.inside);
  const inSegment = (v: number): boolean => inside.has(v) || v === s.source || v === s.target;
  const edges = new Set(s.edges);
  for (let e = 0; e < graph.edgeCount; e++) {
    const from = graph.edgeFrom[e]!;
    const to = graph.edgeTo[e]!;
    const touchesInside = inside.has(from) || inside.has(to);
    if (touchesInside && !(edges.has(e) && inSegment(from) && inSegment(to))) return false;
    if (!touchesInside && edges.has(e) && !(from === s.source && to === s.target)) return false;
  }
  const after = descendants(graph, s, s.source);
  const before = ancestors(graph, s, s.target);
  return s.edges.length > 0 && s.inside.every((v) => after.has(v) && before.has(v));
}

/**
 * The largest IS with ends v_k and v_t within an IS (Algorithm 4, lines 4-6), or undefined. The paper
 * tests all vertices between v_k and v_t at once; that misses the IS k -> a -> t beside a path
 * k -> b -> t whose b has another edge, and with it Definition 6. So vertices that are connected to
 * the outside are taken away until none is left, which leaves the union of all IS of the pair.
 * O(V * E) in the segment.
 */
export function largestIndependentSegment(
  graph: TensorGraph,
  within: IndependentSegment,
  k: number,
  t: number,
): IndependentSegment | undefined {
  const before = ancestors(graph, within, t);
  const after = descendants(graph, within, k);
  const inside = new Set(within.inside.filter((v) => after.has(v) && before.has(v)));
  const belongs = (v: number): boolean => inside.has(v) || v === k || v === t;
  for (let shrinks = true; shrinks; ) {
    shrinks = false;
    for (const e of within.edges) {
      const from = graph.edgeFrom[e]!;
      const to = graph.edgeTo[e]!;
      if (inside.has(from) && !belongs(to)) shrinks = inside.delete(from);
      else if (inside.has(to) && !belongs(from)) shrinks = inside.delete(to);
    }
  }
  const edges = within.edges.filter((e) => {
    const from = graph.edgeFrom[e]!;
    const to = graph.edgeTo[e]!;
    return inside.has(from) || inside.has(to) || (from === k && to === t);
  });
  if (edges.length === 0) return undefined;
  return { source: k, target: t, inside: [...inside].sort((a, b) => a - b), edges };
}

/** l(s_ij): sum of the costs of the vertices strictly inside. */
export function segmentCost(graph: TensorGraph, s: IndependentSegment): number {
  return s.inside.reduce((sum, v) => sum + graph.cost[v]!, 0);
}

/** Vertices of `s` with a path within `s` to `v`, without `v`. O(E) in the segment. */
export function ancestors(graph: TensorGraph, s: IndependentSegment, v: number): Set<number> {
  const found = new Set([v]);
  for (let i = s.edges.length - 1; i >= 0; i--) {
    const e = s.edges[i]!;
    if (found.has(graph.edgeTo[e]!)) found.add(graph.edgeFrom[e]!);
  }
  found.delete(v);
  return found;
}

/** Vertices of `s` with a path within `s` from `v`, without `v`. O(E) in the segment. */
export function descendants(graph: TensorGraph, s: IndependentSegment, v: number): Set<number> {
  const found = new Set([v]);
  for (const e of s.edges) if (found.has(graph.edgeFrom[e]!)) found.add(graph.edgeTo[e]!);
  found.delete(v);
  return found;
}

function inPathOrder(graph: TensorGraph, edges: number[]): number[] {
  const { edgeFrom, edgeTo } = graph;
  return edges.sort((a, b) => edgeFrom[a]! - edgeFrom[b]! || edgeTo[a]! - edgeTo[b]! || a - b);
}
