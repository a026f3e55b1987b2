import type { TensorGraph } from '../paper/tensor-graph.ts';

/**
 * The papers' computation graph of a graph of operations: vertices are stored tensors, edges the
 * operations between them. Built by `tensorView` from each vertex's role.
 */
export interface TensorView {
  /** Costs in bytes of the tensor. */
  readonly tensors: TensorGraph;
  /** Vertex of `tensors` to the operation whose output it stores (the last of those that share it). */
  readonly representative: Int32Array;
  /** Operation to the vertex of `tensors` that it belongs to, or -1 for one that lies on an edge. */
  readonly tensorOf: Int32Array;
}
