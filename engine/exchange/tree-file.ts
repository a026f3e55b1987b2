import { idOf } from '../graph/graph.ts';
import { buildDivisionTree } from '../paper/build-division-tree.ts';
import { type DivisionNode, divisionTreeToJson } from '../paper/division-tree.ts';
import type { Problem } from '../strategies/strategy.ts';

/** One independent segment of a division tree, its ends by the ids of the operations that store them. */
export interface TreeFileNode {
  readonly kind: string;
  readonly source: string;
  readonly target: string;
  readonly bytes: number;
  readonly children?: readonly TreeFileNode[];
}

/** The division tree of the papers' graph (D7) as a document; edges are leaves. */
export function treeFile(problem: Problem): {
  readonly format: 'zigzag-division-tree';
  readonly version: 1;
  readonly model: string;
  readonly root: TreeFileNode;
} {
  const { graph, view } = problem;
  const id = (tensor: number): string => idOf(graph, view.representative[tensor] ?? 0);
  const named = (node: DivisionNode): TreeFileNode => ({
    kind: node.kind,
    source: id(node.source),
    target: id(node.target),
    bytes: node.cost,
    ...(node.children === undefined ? {} : { children: node.children.map(named) }),
  });
  const root = named(divisionTreeToJson(buildDivisionTree(view.tensors)));
  return { format: 'zigzag-division-tree', version: 1, model: graph.name, root };
}
