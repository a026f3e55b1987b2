import { InternalError } from '../errors.ts';
import { inDegree, isLinearGraph, outDegree, type TensorGraph } from './tensor-graph.ts';
import { type OptimalSolution, solveOptimal } from './solve-optimal.ts';

/** The graph is not an LCG. */
export interface NotLinear {
  readonly ok: false;
  /** The first vertex with several inputs or several outputs, and how many it has. */
  readonly vertex: number;
  readonly inputs: number;
  readonly outputs: number;
}

/**
 * The LCG solver (000, Algorithm 1): the minimum of Eq. 1 on a linear graph. On such a graph Eq. 1 and
 * Eq. 2 and the two solvers agree (the division tree is one Linear IS whose members are the edges), so
 * this is `solveOptimal` with a test in front; ties, time and space as there.
 */
export function solveLinear(graph: TensorGraph): OptimalSolution | NotLinear {
  return whyNotLinear(graph) ?? solveOptimal(graph);
}

/** Null of a linear graph. Time O(V). */
export function whyNotLinear(graph: TensorGraph): NotLinear | null {
  if (isLinearGraph(graph)) return null;
  for (let vertex = 0; vertex < graph.size; vertex++) {
    const inputs = inDegree(graph, vertex);
    const outputs = outDegree(graph, vertex);
    if (inputs > 1 || outputs > 1) return { ok: false, vertex, inputs, outputs };
  }
  throw new InternalError('more edges than a path has, yet no vertex with two');
}
