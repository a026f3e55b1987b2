import { type NotIndependent, type Segment, segmentsOf } from './segments.ts';
import type { TensorGraph } from './tensor-graph.ts';

/** Eq. 2 of a set of checkpoints, in the unit of `graph.cost`. */
export interface PaperCost {
  readonly ok: true;
  /** checkpointCost + maxTerm. */
  readonly cost: number;
  /** Sum over the checkpoints, source and target of the graph excluded. */
  readonly checkpointCost: number;
  /** Cost of the largest segment, 0 if none exists. */
  readonly maxTerm: number;
  readonly segments: readonly Segment[];
}

/**
 * Eq. 2 (000, section 5.1): the cost of the checkpoints plus that of the largest segment between
 * them. Says why when the checkpoints do not cut the graph into independent segments.
 * Time and space as `segmentsOf`.
 *
 * @param checkpoints vertices in any order; repeats, source and target count nothing
 * @throws BadInputError for a checkpoint that is not a vertex
 */
export function paperCost(graph: TensorGraph, checkpoints: Iterable<number>): PaperCost | NotIndependent {
  const chosen = new Set(checkpoints);
  const cut = segmentsOf(graph, chosen);
  if (!cut.ok) return cut;
  chosen.delete(0);
  chosen.delete(graph.size - 1);
  let checkpointCost = 0;
  for (const v of chosen) checkpointCost += graph.cost[v]!;
  let maxTerm = 0;
  for (const segment of cut.segments) maxTerm = Math.max(maxTerm, segment.cost);
  return { ok: true, cost: checkpointCost + maxTerm, checkpointCost, maxTerm, segments: cut.segments };
}
