import type { TensorGraph } from '../tensor-graph.ts';
import type { IndependentSegment } from './independent-segment.ts';

/**
 * Algorithm 3 (000): the division of a Branch IS (Definition 4) into its branches; the IS itself when
 * it has only one. Expects an IS without a linear splitting vertex. O(V E).
 *
 * Departures: every edge from source to target is a branch of its own, also when the IS has several and
 * no vertex (the paper's graphs are simple); and a branch has all edges of its vertices, not just
 * those that the search used first (lines 11-13 read literally).
 */
export function divideBranch(graph: TensorGraph, s: IndependentSegment): readonly IndependentSegment[] {
  if (s.edges.length === 1) return [s];
  const direct = s.edges.find((e) => graph.edgeFrom[e] === s.source && graph.edgeTo[e] === s.target);
  if (direct !== undefined) {
    const branch = { ...s, inside: [], edges: [direct] };
    const rest = { ...s, edges: s.edges.filter((e) => e !== direct) };
    return [branch, ...divideBranch(graph, rest)];
  }
  const branch = branchOf(graph, s, s.inside[0]!);
  if (branch.edges.length === s.edges.length) return [s];
  const rest = {
    ...s,
    inside: s.inside.filter((v) => !branch.inside.includes(v)),
    edges: s.edges.filter((e) => !branch.edges.includes(e)),
  };
  return [branch, ...divideBranch(graph, rest)];
}

/** Lines 7-13: grow from one vertex along edges of either direction, never through the ends. */
function branchOf(graph: TensorGraph, s: IndependentSegment, start: number): IndependentSegment {
  const reached = new Set([start]);
  for (const q of reached) {
    for (const e of s.edges) {
      const from = graph.edgeFrom[e]!;
      const to = graph.edgeTo[e]!;
      if (from === q && to !== s.target) reached.add(to);
      if (to === q && from !== s.source) reached.add(from);
    }
  }
  return {
    ...s,
    inside: s.inside.filter((v) => reached.has(v)),
    edges: s.edges.filter((e) => reached.has(graph.edgeFrom[e]!) || reached.has(graph.edgeTo[e]!)),
  };
}
