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
 * are numbered by their first operation. Source and target always are vertices of their own, and an
 * operation joins a vertex only where none of its other inputs comes after it: what would make a circle
 * of the two starts a vertex. Time O(V + E log E), space O(V + E).
 */
export function tensorView(graph: Graph): TensorView {
  const tensorOf = new Int32Array(graph.size).fill(-1);
  const representative: number[] = [0];
  tensorOf[0] = 0;
  const edges: [number, number][] = [];
  // The tensors that reach an operation on an edge. It has one consumer, which takes the list over.
  const origins = new Map<number, number[]>();
  for (let v = 1; v < graph.size; v++) {
    const inputs = predecessorsOf(graph, v);
    const arriving = collectOrigins(inputs, tensorOf, origins);
    if (graph.roles[v] === 'edge' && v !== graph.size - 1) {
      origins.set(v, arriving);
      continue;
    }
    const shared = graph.roles[v] === 'join' ? (tensorOf[inputs[0] ?? 0] ?? -1) : -1;
    const joins = shared > 0 && arriving.every((tensor) => tensor <= shared);
    const tensor = joins ? shared : representative.length;
    tensorOf[v] = tensor;
    representative[tensor] = v;
    for (const from of arriving) if (from !== tensor) edges.push([from, tensor]);
  }
  const cost = representative.map((v) => graph.bytes[v] ?? 0);
  return {
    tensors: createTensorGraph(cost, edges),
    representative: Int32Array.from(representative),
    tensorOf,
  };
}

/** The tensors that an operation reads, directly or through operations on edges; repeats kept. */
function collectOrigins(inputs: Int32Array, tensorOf: Int32Array, origins: Map<number, number[]>): number[] {
  let collected: number[] = [];
  for (const u of inputs) {
    const tensor = tensorOf[u] ?? -1;
    if (tensor >= 0) {
      collected.push(tensor);
      continue;
    }
    const arriving = origins.get(u) ?? [];
    origins.delete(u);
    // The shorter list moves, so that a long chain of operations on edges stays cheap.
    const [longer, shorter] =
      arriving.length > collected.length ? [arriving, collected] : [collected, arriving];
    for (const other of shorter) longer.push(other);
    collected = longer;
  }
  return collected;
}
