import { BRANCH, COMPLICATE, type DivisionTree, LINEAR } from './division-tree.ts';
import type { TensorGraph } from './tensor-graph.ts';

/** A division tree whose nodes and children come in any order. */
export interface DivisionDraft {
  readonly root: number;
  readonly kind: Uint8Array;
  readonly source: Int32Array;
  readonly target: Int32Array;
  readonly edge: Int32Array;
  /** Children of a node: children[childOffsets[node] .. childOffsets[node + 1]). */
  readonly childOffsets: Int32Array;
  readonly children: Int32Array;
}

/**
 * Puts the nodes of a draft into the one order that `DivisionTree` documents and adds the costs.
 * Time O(N log N) for the order of children, space O(N) for N nodes.
 */
export function arrangeDivisionTree(graph: TensorGraph, draft: DivisionDraft): DivisionTree {
  const owner = connectingVertices(graph, draft);
  const firstInside = smallestVertexInside(draft, owner);
  const nodeCount = draft.kind.length;
  const order = new Int32Array(nodeCount);
  const firstChild = new Int32Array(nodeCount);
  const childCount = new Int32Array(nodeCount);
  const parent = new Int32Array(nodeCount).fill(-1);
  order[0] = draft.root;
  let filled = 1;
  for (let node = 0; node < nodeCount; node++) {
    const children = sortedChildren(draft, order[node]!, firstInside);
    firstChild[node] = filled;
    childCount[node] = children.length;
    for (const child of children) {
      parent[filled] = node;
      order[filled++] = child;
    }
  }

  const renamed = new Int32Array(nodeCount);
  for (let node = 0; node < nodeCount; node++) renamed[order[node]!] = node;
  for (let v = 0; v < owner.length; v++) if (owner[v]! >= 0) owner[v] = renamed[owner[v]!]!;
  const kind = new Uint8Array(nodeCount);
  for (let node = 0; node < nodeCount; node++) kind[node] = draft.kind[order[node]!]!;
  const tree = {
    graph,
    nodeCount,
    kind,
    source: order.map((old) => draft.source[old]!),
    target: order.map((old) => draft.target[old]!),
    firstChild,
    childCount,
    parent,
    edge: order.map((old) => draft.edge[old]!),
    owner,
  };
  return { ...tree, ...costs(graph, tree) };
}

/** The node in whose division a vertex connects members without being an end of the node. */
function connectingVertices(graph: TensorGraph, draft: DivisionDraft): Int32Array {
  const owner = new Int32Array(graph.size).fill(-1);
  for (let node = 0; node < draft.kind.length; node++) {
    if (draft.kind[node] !== LINEAR && draft.kind[node] !== COMPLICATE) continue;
    for (let c = draft.childOffsets[node]!; c < draft.childOffsets[node + 1]!; c++) {
      // Every vertex inside the division is the target of some member.
      const vertex = draft.target[draft.children[c]!]!;
      if (vertex !== draft.target[node]) owner[vertex] = node;
    }
  }
  return owner;
}

/** Smallest vertex strictly inside each node, -1 for a node without one. */
function smallestVertexInside(draft: DivisionDraft, owner: Int32Array): Int32Array {
  const smallest = new Int32Array(draft.kind.length).fill(-1);
  for (let v = owner.length - 1; v >= 0; v--) if (owner[v]! >= 0) smallest[owner[v]!] = v;
  const topDown = Int32Array.from(draft.kind, () => draft.root);
  let filled = 1;
  for (let i = 0; i < topDown.length; i++) {
    const node = topDown[i]!;
    for (let c = draft.childOffsets[node]!; c < draft.childOffsets[node + 1]!; c++) {
      topDown[filled++] = draft.children[c]!;
    }
  }
  for (let i = topDown.length - 1; i >= 0; i--) {
    const node = topDown[i]!;
    for (let c = draft.childOffsets[node]!; c < draft.childOffsets[node + 1]!; c++) {
      const below = smallest[draft.children[c]!]!;
      if (below >= 0 && (smallest[node]! < 0 || below < smallest[node]!)) smallest[node] = below;
    }
  }
  return smallest;
}

/** In a Linear IS the order by source is the order along the path. */
function sortedChildren(draft: DivisionDraft, node: number, firstInside: Int32Array): Int32Array {
  const { source, target, edge } = draft;
  const children = draft.children.slice(draft.childOffsets[node]!, draft.childOffsets[node + 1]!);
  return children.sort(
    (a, b) =>
      source[a]! - source[b]! ||
      target[a]! - target[b]! ||
      firstInside[a]! - firstInside[b]! ||
      edge[a]! - edge[b]!,
  );
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
