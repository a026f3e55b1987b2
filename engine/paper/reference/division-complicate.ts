import type { TensorGraph } from '../tensor-graph.ts';
import { type IndependentSegment, largestIndependentSegment } from './independent-segment.ts';

/**
 * Algorithm 4 (000): the division of a Complicate IS, its largest independent segments (Definition 6),
 * by (source, target). Expects an IS with neither a linear splitting vertex nor branches. O(V^3 E).
 */
export function divideComplicate(graph: TensorGraph, s: IndependentSegment): readonly IndependentSegment[] {
  const candidates: IndependentSegment[] = [];
  const vertices = [s.source, ...s.inside, s.target];
  for (const k of vertices) {
    for (const t of vertices) {
      if (k >= t || (k === s.source && t === s.target)) continue;
      const found = largestIndependentSegment(graph, s, k, t);
      if (found !== undefined) candidates.push(found);
    }
  }
  return candidates.filter((a) => !candidates.some((b) => a !== b && contains(b, a)));
}

/** True if IS `a` contains IS `b`; an IS is known by its edges. */
export function contains(a: IndependentSegment, b: IndependentSegment): boolean {
  if (a.edges.length < b.edges.length) return false;
  const edges = new Set(a.edges);
  return b.edges.every((e) => edges.has(e));
}
