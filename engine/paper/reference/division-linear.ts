import type { TensorGraph } from '../tensor-graph.ts';
import { ancestors, descendants, type IndependentSegment } from './independent-segment.ts';

/**
 * Algorithm 2 (000): the division of a Linear IS, in order from its source to its target; the IS
 * itself when it has no linear splitting vertex (Definition 2), so that it is no Linear IS
 * (Definition 3). O(V^2 E).
 */
export function divideLinear(graph: TensorGraph, s: IndependentSegment): readonly IndependentSegment[] {
  for (const t of s.inside) {
    const parts = splitAt(graph, s, t);
    if (parts !== undefined) return parts.flatMap((part) => divideLinear(graph, part));
  }
  return [s];
}

/**
 * Lines 2-3: s_it and s_tj when v_t is a linear splitting vertex: everything else is before or after it,
 * nothing is both, and no edge passes it by. O(E) in the segment.
 */
export function splitAt(
  graph: TensorGraph,
  s: IndependentSegment,
  t: number,
): readonly [IndependentSegment, IndependentSegment] | undefined {
  const before = ancestors(graph, s, t);
  const after = descendants(graph, s, t);
  // No vertex is both before and after v_t in an acyclic graph. The ends count as vertices of s.
  if (before.size + after.size + 1 !== s.inside.length + 2) return undefined;
  if (s.edges.some((e) => before.has(graph.edgeFrom[e]!) && after.has(graph.edgeTo[e]!))) return undefined;
  return [
    {
      source: s.source,
      target: t,
      inside: s.inside.filter((v) => before.has(v)),
      edges: s.edges.filter((e) => before.has(graph.edgeFrom[e]!)),
    },
    {
      source: t,
      target: s.target,
      inside: s.inside.filter((v) => after.has(v)),
      edges: s.edges.filter((e) => after.has(graph.edgeTo[e]!)),
    },
  ];
}
