import { BRANCH, COMPLICATE, type DivisionTree, LINEAR } from './division-tree.ts';
import type { TensorGraph } from './tensor-graph.ts';

/**
 * A division tree whose siblings are neighbours in any order and come after their parent; node 0 is the
 * root.
 */
export interface DivisionDraft {
  readonly kind: Uint8Array;
  readonly source: Int32Array;
  readonly target: Int32Array;
  /** The edge that a leaf is, -1 for other nodes. */
  readonly edge: Int32Array;
  /** Children of a node: firstChild .. firstChild + childCount - 1. */
  readonly firstChild: Int32Array;
  readonly childCount: Int32Array;
}

/**
 * Puts siblings into the order that `DivisionTree` documents and adds the costs. Time O(N log N) for N
 * nodes at worst, linear as long as few nodes have many children; space O(N).
 */
export function arrangeDivisionTree(graph: TensorGraph, draft: DivisionDraft): DivisionTree {
  const draftOwner = connectingVertices(graph, draft);
  const { order, firstChild, childCount, parent } = depthFirst(
    draft,
    smallestVertexInside(draft, draftOwner),
  );
  const renamed = new Int32Array(order.length);
  for (let node = 0; node < order.length; node++) renamed[order[node]!] = node;
  const tree = {
    graph,
    nodeCount: order.length,
    kind: draft.kind.map((_, node) => draft.kind[order[node]!]!),
    source: order.map((old) => draft.source[old]!),
    target: order.map((old) => draft.target[old]!),
    firstChild,
    childCount,
    parent,
    edge: order.map((old) => draft.edge[old]!),
    owner: draftOwner.map((old) => (old < 0 ? -1 : renamed[old]!)),
  };
  return { ...tree, ...costs(graph, tree) };
}

/** The node in whose division a vertex connects members without being an end of the node, or -1. */
function connectingVertices(graph: TensorGraph, draft: DivisionDraft): Int32Array {
  const { kind, target, firstChild, childCount } = draft;
  const owner = new Int32Array(graph.size).fill(-1);
  for (let node = 0; node < kind.length; node++) {
    if (kind[node] !== LINEAR && kind[node] !== COMPLICATE) continue;
    // Every vertex that connects members is the target of some member.
    const end = firstChild[node]! + childCount[node]!;
    for (let child = firstChild[node]!; child < end; child++) {
      if (target[child] !== target[node]) owner[target[child]!] = node;
    }
  }
  return owner;
}

/** Smallest vertex strictly inside each node, -1 for a node without one. */
function smallestVertexInside(
  { kind, firstChild, childCount }: DivisionDraft,
  owner: Int32Array,
): Int32Array {
  const smallest = new Int32Array(kind.length).fill(-1);
  for (let v = owner.length - 1; v >= 0; v--) if (owner[v]! >= 0) smallest[owner[v]!] = v;
  for (let node = kind.length - 1; node >= 0; node--) {
    const end = firstChild[node]! + childCount[node]!;
    for (let child = firstChild[node]!; child < end; child++) {
      const below = smallest[child]!;
      if (below >= 0 && (smallest[node]! < 0 || below < smallest[node]!)) smallest[node] = below;
    }
  }
  return smallest;
}

/** Up to this many siblings are put in order by insertion. */
const FEW = 16;

/** Draft nodes in the order of the tree, and the tree's shape in that order. */
function depthFirst(
  draft: DivisionDraft,
  smallest: Int32Array,
): Pick<DivisionTree, 'firstChild' | 'childCount' | 'parent'> & { order: Int32Array } {
  const { source, target, edge } = draft;
  // In a Linear IS the order by source is the order along the path.
  const compare = (a: number, b: number): number =>
    source[a]! - source[b]! || target[a]! - target[b]! || smallest[a]! - smallest[b]! || edge[a]! - edge[b]!;
  const nodeCount = source.length;
  const order = new Int32Array(nodeCount);
  const firstChild = new Int32Array(nodeCount);
  const childCount = new Int32Array(nodeCount);
  const parent = new Int32Array(nodeCount).fill(-1);
  const stack = [0];
  let filled = 1;
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const begin = draft.firstChild[order[node]!]!;
    const count = draft.childCount[order[node]!]!;
    firstChild[node] = filled;
    childCount[node] = count;
    for (let i = 0; i < count; i++) {
      const child = begin + i;
      let at = filled + i;
      if (count <= FEW)
        for (; at > filled && compare(child, order[at - 1]!) < 0; at--) order[at] = order[at - 1]!;
      order[at] = child;
      parent[filled + i] = node;
    }
    if (count > FEW) order.subarray(filled, filled + count).sort(compare);
    filled += count;
    for (let child = filled - 1; child >= firstChild[node]!; child--) {
      if (draft.childCount[order[child]!]! > 0) stack.push(child);
    }
  }
  return { order, firstChild, childCount, parent };
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
