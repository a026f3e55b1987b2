import { arrangeDivisionTree, type DivisionDraft } from './arrange-division-tree.ts';
import { sortByKey } from './counting-sort.ts';
import { BRANCH, COMPLICATE, type DivisionTree, LEAF, LINEAR } from './division-tree.ts';
import type { TensorGraph } from './tensor-graph.ts';
import { type SplitComponents, TRICONNECTED } from './triconnected/split-components.ts';
import { splitGraph } from './triconnected/split-graph.ts';

/**
 * The division tree (000, figure 5; unique by Theorem 1) in near-linear time.
 *
 * It is the SPQR tree of the graph with one more edge from source to target, rooted at that edge:
 * a part that hangs on the rest by two vertices only contains neither source nor target, so all paths
 * from source to target enter it at one of the two and leave it at the other, and it is an independent
 * segment (Definition 1). A series of parts is a Linear IS (Definition 3), parts in parallel a Branch IS
 * (Definition 4), a triconnected skeleton a Complicate IS whose members are the skeleton's edges
 * (Definitions 5 and 6). Time O(V + E) up to the inverse Ackermann function, space O(V + E), no recursion.
 * `reference/division-tree-by-definition.ts` is the same tree straight from Algorithms 2-4.
 */
export function buildDivisionTree(graph: TensorGraph): DivisionTree {
  // Its one split component would be a bond of a single branch.
  if (graph.edgeCount === 1) return arrangeDivisionTree(graph, SINGLE_EDGE);
  const components = splitGraph(graph);
  const groups = mergeComponents(components);
  return arrangeDivisionTree(graph, hangTree(graph, components, groups));
}

/** Components joined to what is unique: bonds with bonds, polygons with polygons. */
interface Groups {
  /** Component to group; a group is called by one of its components. */
  readonly groupOf: Int32Array;
  /** The two components of a virtual edge; the one of a given edge, and -1. */
  readonly first: Int32Array;
  readonly second: Int32Array;
}

function mergeComponents(components: SplitComponents): Groups {
  const { kinds, offsets, edges } = components;
  const first = new Int32Array(components.from.length).fill(-1);
  const second = new Int32Array(components.from.length).fill(-1);
  for (let c = 0; c < kinds.length; c++) {
    for (let i = offsets[c]!; i < offsets[c + 1]!; i++) {
      const e = edges[i]!;
      if (first[e] === -1) first[e] = c;
      else second[e] = c;
    }
  }
  const parent = Int32Array.from(kinds, (_, c) => c);
  const find = (c: number): number => {
    let at = c;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]!]!;
      at = parent[at]!;
    }
    return at;
  };
  for (let e = 0; e < second.length; e++) {
    const a = first[e]!;
    const b = second[e]!;
    if (b !== -1 && kinds[a] === kinds[b] && kinds[a] !== TRICONNECTED) parent[find(a)] = find(b);
  }
  return { groupOf: parent.map((_, c) => find(c)), first, second };
}

/** The edges of each group without those that held its components together. */
function edgesByGroup(
  components: SplitComponents,
  { groupOf, first, second }: Groups,
): { groupEdges: Int32Array; groupOffsets: Int32Array } {
  const { kinds, offsets, edges } = components;
  const kept: number[] = [];
  const keptGroup: number[] = [];
  for (let c = 0; c < kinds.length; c++) {
    for (let i = offsets[c]!; i < offsets[c + 1]!; i++) {
      const e = edges[i]!;
      if (second[e] !== -1 && groupOf[first[e]!] === groupOf[second[e]!]) continue;
      kept.push(e);
      keptGroup.push(groupOf[c]!);
    }
  }
  const grouped = sortByKey(Int32Array.from(kept), Int32Array.from(keptGroup), kinds.length);
  return { groupEdges: grouped.sorted, groupOffsets: grouped.offsets };
}

/** The tree of groups, hung up at the edge from source to target; every given edge becomes a leaf. */
function hangTree(graph: TensorGraph, components: SplitComponents, groups: Groups): DivisionDraft {
  const { from, to, kinds } = components;
  const { groupOf, first, second } = groups;
  const { groupEdges, groupOffsets } = edgesByGroup(components, groups);
  const rootEdge = graph.edgeCount;
  // By node, breadth first: the edge to the group above and the group, -1 for a leaf.
  const edgeAbove = [rootEdge];
  const group = [groupOf[first[rootEdge]!]!];
  const parent = [-1];
  for (let node = 0; node < edgeAbove.length; node++) {
    const g = group[node]!;
    if (g === -1) continue;
    for (let i = groupOffsets[g]!; i < groupOffsets[g + 1]!; i++) {
      const e = groupEdges[i]!;
      if (e === edgeAbove[node]) continue;
      edgeAbove.push(e);
      parent.push(node);
      if (second[e] === -1) group.push(-1);
      else group.push(groupOf[first[e]!] === g ? groupOf[second[e]!]! : groupOf[first[e]!]!);
    }
  }
  return {
    kind: Uint8Array.from(group, (g) => (g === -1 ? LEAF : NODE_KIND[kinds[g]!]!)),
    source: Int32Array.from(edgeAbove, (e) => Math.min(from[e]!, to[e]!)),
    target: Int32Array.from(edgeAbove, (e) => Math.max(from[e]!, to[e]!)),
    edge: Int32Array.from(edgeAbove, (e, node) => (group[node] === -1 ? e : -1)),
    parent: Int32Array.from(parent),
  };
}

/** By kind of component: BOND, POLYGON, TRICONNECTED. */
const NODE_KIND = [BRANCH, LINEAR, COMPLICATE];

const SINGLE_EDGE: DivisionDraft = {
  kind: Uint8Array.of(LEAF),
  source: Int32Array.of(0),
  target: Int32Array.of(1),
  edge: Int32Array.of(0),
  parent: Int32Array.of(-1),
};
