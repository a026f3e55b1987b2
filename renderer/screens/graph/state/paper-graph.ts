import type { GraphView } from '../../../../app/contract/graph-view.ts';
import type { DivisionTree } from '../../../../engine/paper/division-tree.ts';
import { type CheckpointChoice, leastCostChoices } from '../../../../engine/paper/solve-optimal.ts';
import { createTensorGraph, type TensorGraph } from '../../../../engine/paper/tensor-graph.ts';

/** The computation graph as the engine computes with it: here, in the page, so that no answer has to travel. */
export interface PaperGraph {
  readonly view: GraphView;
  /** Costs in bytes per sample. */
  readonly tensors: TensorGraph;
  readonly tree: DivisionTree;
  /** The optimum of Eq. 2; of several, that of fewest checkpoints. */
  readonly optimum: CheckpointChoice;
  /** All choices of as little, at most 64, by number of checkpoints; the first is `optimum`. */
  readonly optima: readonly CheckpointChoice[];
  /** Operation to the vertex that stores its output; operations on edges are missing. */
  readonly vertexOf: ReadonlyMap<string, number>;
}

const MAX_OPTIMA = 64;

export function paperGraphOf(view: GraphView): PaperGraph {
  const tensors = createTensorGraph(
    view.vertices.map(({ bytesPerSample }) => bytesPerSample),
    view.edges.map(({ from, to }): [number, number] => [from, to]),
  );
  const { tree: arrays } = view;
  const tree: DivisionTree = {
    graph: tensors,
    nodeCount: arrays.kind.length,
    kind: Uint8Array.from(arrays.kind),
    source: Int32Array.from(arrays.source),
    target: Int32Array.from(arrays.target),
    cost: Float64Array.from(arrays.cost),
    largestSegment: Float64Array.from(arrays.largestSegment),
    firstChild: Int32Array.from(arrays.firstChild),
    childCount: Int32Array.from(arrays.childCount),
    parent: Int32Array.from(arrays.parent),
    edge: Int32Array.from(arrays.edge),
    owner: Int32Array.from(arrays.owner),
  };
  const vertexOf = new Map<string, number>();
  view.vertices.forEach(({ operations }, v) => {
    for (const { id } of operations) vertexOf.set(id, v);
  });
  const optima = leastCostChoices(tree, MAX_OPTIMA);
  return { view, tensors, tree, optimum: optima[0]!, optima, vertexOf };
}

/** The vertices that store the outputs of operations; those that lie on an edge are left out. */
export function verticesOf(paper: PaperGraph, operations: readonly string[]): number[] {
  const found = operations.map((id) => paper.vertexOf.get(id)).filter((v) => v !== undefined);
  return [...new Set(found)].sort((a, b) => a - b);
}

export function idOfVertex({ view }: Pick<PaperGraph, 'view'>, vertex: number): string {
  return view.vertices[vertex]?.id ?? `#${vertex}`;
}
