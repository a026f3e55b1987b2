import { createTensorGraph, type TensorGraph } from '../paper/tensor-graph.ts';
import { type Graph, predecessorsOf } from './graph.ts';

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

/**
 * Derives the papers' computation graph from the roles of the operations. One edge for each path of
 * operations from an input tensor into a vertex, several between the same two vertices kept; vertices
 * are numbered by their first operation. Source and target always are vertices of their own, so an
 * operation never joins the source. Time O(V + E log E), space O(V + E).
 */
export function tensorView(graph: Graph): TensorView {
  const tensorOf = new Int32Array(graph.size).fill(-1);
  const representative: number[] = [];
  const target = graph.size - 1;
  for (let v = 0; v < graph.size; v++) {
    const role = graph.roles[v];
    if (role === 'edge' && v !== 0 && v !== target) continue;
    const shared = role === 'join' ? (tensorOf[predecessorsOf(graph, v)[0] ?? 0] ?? -1) : -1;
    if (shared > 0) {
      tensorOf[v] = shared;
      representative[shared] = v;
    } else {
      tensorOf[v] = representative.length;
      representative.push(v);
    }
  }

  const edges: [number, number][] = [];
  // The tensors that reach an operation on an edge. It has one consumer, which takes the list over.
  const origins = new Map<number, number[]>();
  for (let v = 1; v < graph.size; v++) {
    const to = tensorOf[v] ?? -1;
    let collected: number[] = [];
    for (const u of predecessorsOf(graph, v)) {
      const from = tensorOf[u] ?? -1;
      const arriving = from >= 0 ? [from] : (origins.get(u) ?? []);
      origins.delete(u);
      // The shorter list moves, so that a long chain of operations on edges stays cheap.
      const [longer, shorter] =
        arriving.length > collected.length ? [arriving, collected] : [collected, arriving];
      for (const tensor of shorter) longer.push(tensor);
      collected = longer;
    }
    if (to < 0) origins.set(v, collected);
    else for (const from of collected) if (from !== to) edges.push([from, to]);
  }
  const cost = representative.map((v) => graph.bytes[v] ?? 0);
  return {
    tensors: createTensorGraph(cost, edges),
    representative: Int32Array.from(representative),
    tensorOf,
  };
}
