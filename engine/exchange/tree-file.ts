import { idOf } from '../graph/graph.ts';
import { buildDivisionTree } from '../paper/build-division-tree.ts';
import { kindOf } from '../paper/division-tree.ts';
import type { Problem } from '../strategies/strategy/strategy.ts';

/**
 * The division tree of the papers' graph (D7) as a JSON document: nested nodes with `kind`, `source` and
 * `target` (ids of the operations that store the ends), `bytes` and, but for leaves, `children`. Written
 * without recursion, because a tree may be as deep as its graph is long. Time and space O(V + E).
 */
export function treeFileText(problem: Problem): string {
  const { graph, view } = problem;
  const tree = buildDivisionTree(view.tensors);
  const id = (tensor: number): string => JSON.stringify(idOf(graph, view.representative[tensor] ?? 0));
  const parts = [
    `{"format":"zigzag-division-tree","version":1,"model":${JSON.stringify(graph.name)},"root":`,
  ];
  const open: { readonly node: number; written: number }[] = [];
  const begin = (node: number): void => {
    const ends = `"source":${id(tree.source[node]!)},"target":${id(tree.target[node]!)}`;
    parts.push(`{"kind":"${kindOf(tree, node)}",${ends},"bytes":${tree.cost[node]}`);
    if (tree.childCount[node]! > 0) parts.push(',"children":[');
    open.push({ node, written: 0 });
  };
  begin(0);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const count = tree.childCount[top.node]!;
    if (top.written === count) {
      parts.push(count > 0 ? ']}' : '}');
      open.pop();
      continue;
    }
    if (top.written > 0) parts.push(',');
    begin(tree.firstChild[top.node]! + top.written++);
  }
  parts.push('}');
  return parts.join('');
}
