import { sortByKey } from './counting-sort.ts';
import { BRANCH, COMPLICATE, type DivisionTree, LINEAR } from './division-tree.ts';
import type { TensorGraph } from './tensor-graph.ts';

/** The nodes of a division tree in any order that has a parent before its children; node 0 is the root. */
export interface DivisionDraft {
  readonly kind: Uint8Array;
  readonly source: Int32Array;
  readonly target: Int32Array;
  /** The edge that a leaf is, -1 for other nodes. */
  readonly edge: Int32Array;
  /** -1 for the root. */
  readonly parent: Int32Array;
}

/**
 * Puts the nodes of a draft into the one order that `DivisionTree` documents and adds the costs.
 * Time and space O(V + E).
 */
export function arrangeDivisionTree(graph: TensorGraph, draft: DivisionDraft): DivisionTree {
  const draftOwner = connectingVertices(graph, draft);
  const { order, firstChild, childCount } = breadthFirst(graph, draft, draftOwner);
  const renamed = new Int32Array(order.length);
  for (let node = 0; node < order.length; node++) renamed[order[node]!] = node;
  const rename = (old: number): number => (old < 0 ? -1 : renamed[old]!);
  const tree = {
    graph,
    nodeCount: order.length,
    kind: Uint8Array.from(order, (old) => draft.kind[old]!),
    source: order.map((old) => draft.source[old]!),
    target: order.map((old) => draft.target[old]!),
    firstChild,
    childCount,
    parent: order.map((old) => rename(draft.parent[old]!)),
    edge: order.map((old) => draft.edge[old]!),
    owner: draftOwner.map(rename),
  };
  return { ...tree, ...costs(graph, tree) };
}

/** The node in whose division a vertex connects members without being an end of the node, or -1. */
function connectingVertices(graph: TensorGraph, draft: DivisionDraft): Int32Array {
  const { kind, target, parent } = draft;
  const owner = new Int32Array(graph.size).fill(-1);
  for (let node = 1; node < kind.length; node++) {
    const above = parent[node]!;
    // Every vertex that connects members is the target of some member.
    const connects = kind[above] === LINEAR || kind[above] === COMPLICATE;
    if (connects && target[node] !== target[above]) owner[target[node]!] = above;
  }
  return owner;
}

/** Draft nodes in the order of the tree, and where each one's children are in that order. */
function breadthFirst(
  graph: TensorGraph,
  draft: DivisionDraft,
  owner: Int32Array,
): { order: Int32Array; firstChild: Int32Array; childCount: Int32Array } {
  const nodeCount = draft.kind.length;
  // Stable sorts, the least important key first; +1 because -1 is among the keys.
  let sorted = Int32Array.from(draft.edge, (_, node) => node);
  const sortBy = (key: Int32Array, shift: number, bound: number): Int32Array => {
    const result = sortByKey(
      sorted,
      sorted.map((node) => key[node]! + shift),
      bound,
    );
    sorted = result.sorted;
    return result.offsets;
  };
  sortBy(draft.edge, 1, graph.edgeCount + 1);
  sortBy(smallestVertexInside(draft, owner), 1, graph.size + 1);
  sortBy(draft.target, 0, graph.size);
  sortBy(draft.source, 0, graph.size);
  const offsets = sortBy(draft.parent, 1, nodeCount + 1);

  const order = new Int32Array(nodeCount);
  const firstChild = new Int32Array(nodeCount);
  const childCount = new Int32Array(nodeCount);
  let filled = 1;
  for (let node = 0; node < nodeCount; node++) {
    const begin = offsets[order[node]! + 1]!;
    const end = offsets[order[node]! + 2]!;
    firstChild[node] = filled;
    childCount[node] = end - begin;
    for (let i = begin; i < end; i++) order[filled++] = sorted[i]!;
  }
  return { order, firstChild, childCount };
}

/** Smallest vertex strictly inside each node, -1 for a node without one. */
function smallestVertexInside(draft: DivisionDraft, owner: Int32Array): Int32Array {
  const smallest = new Int32Array(draft.kind.length).fill(-1);
  for (let v = owner.length - 1; v >= 0; v--) if (owner[v]! >= 0) smallest[owner[v]!] = v;
  for (let node = smallest.length - 1; node > 0; node--) {
    const above = draft.parent[node]!;
    const below = smallest[node]!;
    if (below >= 0 && (smallest[above]! < 0 || below < smallest[above]!)) smallest[above] = below;
  }
  return smallest;
}

function costs(
  graph: TensorGraph,
  tree: Pick<DivisionTree, 'nodeCount' | 'kind' | 'parent' | 'owner'>,
): Pick<DivisionTree, 'cost' | 'largestSegment'> {
  const cost = new Float64Array(tree.nodeCount);
  const largestBranch = new Float64Array(tree.nodeCount);
  for (let v = 0; v < graph.size; v++) if (tree.owner[v]! >= 0) cost[tree.owner[v]!]! += graph.cost[v]!;
  for (let node = tree.nodeCount - 1; node > 0; node--) {
    const parent = tree.parent[node]!;
    cost[parent]! += cost[node]!;
    largestBranch[parent] = Math.max(largestBranch[parent]!, cost[node]!);
  }
  const largestSegment = cost.map((value, node) =>
    tree.kind[node] === BRANCH ? largestBranch[node]! : value,
  );
  return { cost, largestSegment };
}
