import { GraphBuilder } from '../../engine/graph/builder.ts';
import type { Graph } from '../../engine/graph/graph.ts';
import { tensorView } from '../../engine/graph/tensor-view.ts';

/** The papers' computation graph as a graph of its own, whose vertices are known by their bytes alone. */
export function viewGraph(graph: Graph): Graph {
  const { tensors } = tensorView(graph);
  const builder = new GraphBuilder(graph.name);
  for (let v = 0; v < tensors.size; v++) {
    const inputs = new Set<number>();
    for (let e = tensors.inOffsets[v]!; e < tensors.inOffsets[v + 1]!; e++) {
      inputs.add(tensors.edgeFrom[tensors.inEdges[e]!]!);
    }
    builder.addOpaque(
      `v${v}`,
      tensors.cost[v]!,
      [...inputs].sort((a, b) => a - b),
    );
  }
  return builder.build();
}
