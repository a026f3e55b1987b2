import { arrangeDivisionTree } from './arrange-division-tree.ts';
import { BRANCH, COMPLICATE, type DivisionNode, type DivisionTree, LEAF, LINEAR } from './division-tree.ts';
import { divisionTreeByDefinition } from './reference/division-tree-by-definition.ts';
import type { TensorGraph } from './tensor-graph.ts';

/** Interim: the tree by definition in the flat form. */
export function buildDivisionTree(graph: TensorGraph): DivisionTree {
  const nodes: DivisionNode[] = [divisionTreeByDefinition(graph)];
  const offsets = [1];
  for (let i = 0; i < nodes.length; i++) {
    nodes.push(...(nodes[i]!.children ?? []));
    offsets.push(nodes.length);
  }
  const kinds = { leaf: LEAF, linear: LINEAR, branch: BRANCH, complicate: COMPLICATE };
  return arrangeDivisionTree(graph, {
    root: 0,
    kind: Uint8Array.from(nodes, (n) => kinds[n.kind]),
    source: Int32Array.from(nodes, (n) => n.source),
    target: Int32Array.from(nodes, (n) => n.target),
    edge: Int32Array.from(nodes, (n) => n.edge ?? -1),
    childOffsets: Int32Array.from(offsets),
    children: Int32Array.from(nodes, (_, i) => i),
  });
}
