import {
  BRANCH,
  type DivisionKind,
  type DivisionTree,
  kindOf,
  LEAF,
} from '../../../../engine/paper/division-tree.ts';

export interface TreeRow {
  readonly node: number;
  readonly depth: number;
  readonly kind: Exclude<DivisionKind, 'leaf'>;
  readonly source: number;
  readonly target: number;
  readonly bytes: number;
  /** Members that are segments of several edges, and those that are single edges. */
  readonly segments: number;
  readonly edges: number;
  /** First tensor of a branch, which tells it from the others between the same ends. */
  readonly via: number | null;
  readonly isOpen: boolean;
  /** A checkpoint lies strictly inside; else the segment stays whole. */
  readonly isCut: boolean;
}

/** Marks nodes with a checkpoint strictly inside. Time O(nodes + V). */
export function cutNodes(tree: DivisionTree, checkpoints: readonly number[]): Uint8Array {
  const cut = new Uint8Array(tree.nodeCount);
  for (const v of checkpoints) {
    for (let node = tree.owner[v] ?? -1; node >= 0 && cut[node] === 0; node = tree.parent[node]!)
      cut[node] = 1;
  }
  return cut;
}

export function treeRows(tree: DivisionTree, open: ReadonlySet<number>, cut: Uint8Array): TreeRow[] {
  const first = firstInside(tree);
  const rows: TreeRow[] = [];
  const waiting: { readonly node: number; readonly depth: number }[] = [{ node: 0, depth: 0 }];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { node, depth } = at;
    const kind = kindOf(tree, node);
    if (kind === 'leaf') continue;
    const segments = membersOf(tree, node);
    const isOpen = open.has(node);
    rows.push({
      node,
      depth,
      kind,
      source: tree.source[node]!,
      target: tree.target[node]!,
      bytes: tree.cost[node]!,
      segments: segments.length,
      edges: tree.childCount[node]! - segments.length,
      via: node > 0 && tree.kind[tree.parent[node]!] === BRANCH ? first[node]! : null,
      isOpen,
      isCut: cut[node] === 1,
    });
    if (isOpen) for (const child of segments.reverse()) waiting.push({ node: child, depth: depth + 1 });
  }
  return rows;
}

/** Smallest vertex strictly inside of each node; -1 if none exists. */
function firstInside(tree: DivisionTree): Int32Array {
  const first = new Int32Array(tree.nodeCount).fill(-1);
  const lower = (node: number, v: number): void => {
    if (v >= 0 && (first[node]! < 0 || v < first[node]!)) first[node] = v;
  };
  tree.owner.forEach((node, v) => {
    if (node >= 0) lower(node, v);
  });
  for (let node = tree.nodeCount - 1; node > 0; node--) lower(tree.parent[node]!, first[node]!);
  return first;
}

function membersOf(tree: DivisionTree, node: number): number[] {
  const first = tree.firstChild[node]!;
  const all = Array.from({ length: tree.childCount[node]! }, (_, i) => first + i);
  return all.filter((child) => tree.kind[child] !== LEAF);
}

/** Vertices strictly inside of a node, ascending. */
export function verticesInside(tree: DivisionTree, node: number): number[] {
  const inside: number[] = [];
  for (let v = 0; v < tree.owner.length; v++) {
    for (let at = tree.owner[v]!; at >= 0; at = tree.parent[at]!) {
      if (at !== node) continue;
      inside.push(v);
      break;
    }
  }
  return inside;
}

export function countKinds(tree: DivisionTree): Readonly<Record<Exclude<DivisionKind, 'leaf'>, number>> {
  const counts = { linear: 0, branch: 0, complicate: 0 };
  for (let node = 0; node < tree.nodeCount; node++) {
    const kind = kindOf(tree, node);
    if (kind !== 'leaf') counts[kind]++;
  }
  return counts;
}
