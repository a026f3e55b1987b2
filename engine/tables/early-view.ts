import { type Graph, predecessorsOf, type TensorRole } from '../graph/graph.ts';
import { tensorView } from '../graph/tensor-view.ts';
import { solveOptimal } from '../paper/solve-optimal.ts';
import type { TensorGraph } from '../paper/tensor-graph.ts';
import type { Family } from '../zoo/model.ts';

/** Whose average pool the printed counts include: DenseNet's by 001, CustomNet's by our own design. */
const POOL_COUNTED: ReadonlySet<Family> = new Set(['DenseNet', 'Zigzag']);

/**
 * The early view (SPEC, D12): the papers' computation graph as 001 (Table 2) evidently counted it. Beside the view of
 * the CVPR program the batch norm that ends a residual branch or a downsample is a vertex, and the average pool
 * before the classifier is none: it shares its input's where it changes no size, else it lies on an edge.
 * Reconstructed, not published; the count of every network of that table but CustomNet follows from it.
 *
 * @returns costs in bytes; time and space as `tensorView`
 */
export function earlyView(graph: Graph, family: Family): TensorGraph {
  const pools = !POOL_COUNTED.has(family);
  const roles = graph.roles.map((role, v): TensorRole => {
    const kind = graph.operations[v]?.kind;
    if (kind === 'batch-norm' && role === 'edge') return 'own';
    if (kind !== 'adaptive-avg-pool' || !pools) return role;
    return graph.bytes[predecessorsOf(graph, v)[0] ?? 0] === graph.bytes[v] ? 'join' : 'edge';
  });
  return tensorView({ ...graph, roles }).tensors;
}

/** Dividend and divisor of a cut-off, in bytes: 1 - cost / whole. */
export interface CutoffSums {
  /** Eq. 2 of the optimum, with the source where it counts. */
  readonly cost: number;
  /** All vertices but the target, without the source where it does not count. */
  readonly whole: number;
}

/** Sums of the optimum's cut-off; 001 counts the source on both sides, 000 on neither. Time as `solveOptimal`. */
export function cutoffSums(tensors: TensorGraph, source: 'counted' | 'left-out'): CutoffSums {
  const ends = source === 'counted' ? (tensors.cost[0] ?? 0) : 0;
  let whole = ends;
  for (let v = 1; v < tensors.size - 1; v++) whole += tensors.cost[v] ?? 0;
  return { cost: solveOptimal(tensors).cost + ends, whole };
}

/** The cut-off in percent, not rounded. */
export const percentOf = ({ cost, whole }: CutoffSums): number => (1 - cost / whole) * 100;
