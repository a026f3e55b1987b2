import { memoryModel, needsOf } from '../ops/memory-model.ts';
import type { Operation } from '../ops/operation.ts';
import { type Graph, predecessorsOf, successorsOf, type TensorRole } from './graph.ts';

/**
 * Roles for a graph from elsewhere, by the general rule: an in-place activation shares its producer's
 * vertex, and an output that no backward needs (under the `pytorch` profile) and that one operation
 * consumes is folded into that operation's edge. An activation that cannot take over its producer's
 * storage, because something else reads it, is a vertex like any other, and so are source and target.
 * A convolution or a product is not folded even where no backward needs its output (the new channels of
 * a DenseNet's layer): the papers draw every one as a vertex.
 * Time and space O(V + E).
 */
export function defaultRoles(graph: Graph): readonly TensorRole[] {
  // Nobody knows what such an operation needs, so nothing of a graph of them can be folded.
  const unknown = (op: Operation): boolean => op.kind === 'opaque' && op.keeps === undefined;
  if (graph.operations.every((op, v) => v === 0 || unknown(op))) return graph.ids.map(() => 'own');
  const memory = memoryModel(graph, 'pytorch');
  const needed = new Uint8Array(graph.size);
  const shared = new Uint8Array(graph.size);
  for (let v = 1; v < graph.size; v++) {
    for (const u of needsOf(memory, v)) needed[u] = 1;
    if (joinsProducer(graph, memory.takesOver[v] ?? -1, v)) shared[predecessorsOf(graph, v)[0] ?? 0] = 1;
  }
  const target = graph.size - 1;
  return graph.ids.map((_id, v): TensorRole => {
    if (v === 0) return 'own';
    if (joinsProducer(graph, memory.takesOver[v] ?? -1, v)) return 'join';
    if (v === target || needed[v] === 1 || shared[v] === 1 || isProduct(graph, v)) return 'own';
    return successorsOf(graph, v).length === 1 ? 'edge' : 'own';
  });
}

function isProduct(graph: Graph, v: number): boolean {
  const kind = graph.operations[v]?.kind;
  return kind === 'conv2d' || kind === 'linear';
}

/** An in-place addition takes over a storage too, but it is no activation. */
function joinsProducer(graph: Graph, destroyed: number, v: number): boolean {
  return destroyed > 0 && graph.operations[v]?.kind === 'relu';
}
