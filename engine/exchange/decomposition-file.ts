import { type TreeDecomposition, treeDecomposition } from '../decomposition/tree-decomposition.ts';
import { idOf } from '../graph/graph.ts';
import type { TensorGraph } from '../paper/tensor-graph.ts';
import type { Problem } from '../strategies/strategy/strategy.ts';

/** The tree decomposition of the papers' graph, directions forgotten. Time as `treeDecomposition`. */
export function decompositionOf({ size, edgeCount, edgeFrom, edgeTo }: TensorGraph): TreeDecomposition {
  const edges = Array.from({ length: edgeCount }, (_, e): [number, number] => [edgeFrom[e]!, edgeTo[e]!]);
  return treeDecomposition(size, edges);
}

/** A tree decomposition with the names of a network, as a document. */
export interface DecompositionFile {
  readonly format: 'zigzag-tree-decomposition';
  readonly version: 1;
  readonly model: string;
  /** Largest bag less one: an upper bound of the treewidth. */
  readonly width: number;
  readonly largestBag: number;
  /** `parent` is the place of another bag in this list, which comes later; null for the root. */
  readonly bags: readonly { readonly parent: number | null; readonly vertices: readonly string[] }[];
}

/** The document of a decomposition; `id` names a vertex. */
export function decompositionFile(
  model: string,
  {
    bags,
    parent,
    width,
    largestBag,
  }: Omit<TreeDecomposition, 'parent'> & { readonly parent: ArrayLike<number> },
  id: (vertex: number) => string,
): DecompositionFile {
  return {
    format: 'zigzag-tree-decomposition',
    version: 1,
    model,
    width,
    largestBag,
    bags: bags.map((bag, i) => {
      const up = parent[i] ?? -1;
      return { parent: up < 0 ? null : up, vertices: bag.map(id) };
    }),
  };
}

/** Output of `zigzag export --to decomposition`; vertices are named by the operations that store them. */
export function decompositionFileText({ graph, view }: Problem): string {
  const id = (tensor: number): string => idOf(graph, view.representative[tensor] ?? 0);
  return JSON.stringify(decompositionFile(graph.name, decompositionOf(view.tensors), id));
}
