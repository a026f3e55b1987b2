import { arrangeDivisionTree, type DivisionDraft } from './arrange-division-tree.ts';
import { BRANCH, COMPLICATE, type DivisionTree, LEAF, LINEAR } from './division-tree.ts';
import type { TensorGraph } from './tensor-graph.ts';
import { type SplitComponents, TRICONNECTED } from './triconnected/split-components.ts';
import { splitGraph } from './triconnected/split-graph.ts';
import { indices } from '../typed-arrays.ts';
import { setRoot } from './set-root.ts';

/**
 * The division tree (000, figure 5; unique by Theorem 1) in near-linear time.
 *
 * It is the SPQR tree of the graph with one more edge from source to target, rooted at that edge:
 * a part that hangs on the rest by two vertices only contains neither source nor target, so all paths
 * from source to target enter it at one of the two and leave it at the other, and it is an independent
 * segment (Definition 1). A series of parts is a Linear IS (Definition 3), parts in parallel a Branch IS
 * (Definition 4), a triconnected skeleton a Complicate IS whose members are the skeleton's edges
 * (Definitions 5 and 6). Time O(V + E) for the components and
 * O(E log E) at worst to join and order them, in practice linear; space O(V + E); no recursion.
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
  /** The two components of each virtual edge, in order of `SplitComponents.virtualFrom`. */
  readonly first: Int32Array;
  readonly second: Int32Array;
}

function mergeComponents(components: SplitComponents): Groups {
  const { count, given, kinds, offsets, edges } = components;
  const first = new Int32Array(components.virtualCount).fill(-1);
  const second = new Int32Array(components.virtualCount);
  for (let c = 0; c < count; c++) {
    for (let i = offsets[c]!; i < offsets[c + 1]!; i++) {
      const virtual = edges[i]! - given;
      if (virtual < 0) continue;
      if (first[virtual] === -1) first[virtual] = c;
      else second[virtual] = c;
    }
  }
  const parent = indices(count);
  for (let virtual = 0; virtual < first.length; virtual++) {
    const a = first[virtual]!;
    const b = second[virtual]!;
    if (kinds[a] === kinds[b] && kinds[a] !== TRICONNECTED) parent[setRoot(parent, a)] = setRoot(parent, b);
  }
  return { groupOf: parent.map((_, c) => setRoot(parent, c)), first, second };
}

/** The edges of each group without those that held its components together. */
function edgesByGroup(
  components: SplitComponents,
  { groupOf, first, second }: Groups,
): { groupEdges: Int32Array; groupOffsets: Int32Array } {
  const { count, given, offsets, edges } = components;
  const outerEdges = (visit: (edge: number, group: number) => void): void => {
    for (let c = 0; c < count; c++) {
      for (let i = offsets[c]!; i < offsets[c + 1]!; i++) {
        const virtual = edges[i]! - given;
        const isInner = virtual >= 0 && groupOf[first[virtual]!] === groupOf[second[virtual]!];
        if (!isInner) visit(edges[i]!, groupOf[c]!);
      }
    }
  };
  const groupOffsets = new Int32Array(count + 1);
  outerEdges((_, group) => {
    groupOffsets[group + 1]!++;
  });
  for (let g = 0; g < count; g++) groupOffsets[g + 1]! += groupOffsets[g]!;
  const next = groupOffsets.slice();
  const groupEdges = new Int32Array(groupOffsets[count]!);
  outerEdges((edge, group) => {
    groupEdges[next[group]!++] = edge;
  });
  return { groupEdges, groupOffsets };
}

/** By kind of component: BOND, POLYGON, TRICONNECTED. */
const NODE_KIND = [BRANCH, LINEAR, COMPLICATE];

/** The tree of groups, hung up at the edge from source to target; every given edge becomes a leaf. */
function hangTree(graph: TensorGraph, components: SplitComponents, groups: Groups): DivisionDraft {
  const { given, kinds, virtualFrom, virtualTo } = components;
  const { groupOf, first, second } = groups;
  const { groupEdges, groupOffsets } = edgesByGroup(components, groups);
  const rootEdge = graph.edgeCount;
  const nodeCount = graph.edgeCount + groupOf.filter((group, c) => group === c).length;
  const kind = new Uint8Array(nodeCount).fill(LEAF);
  const source = new Int32Array(nodeCount);
  const target = new Int32Array(nodeCount);
  const edge = new Int32Array(nodeCount).fill(-1);
  const firstChild = new Int32Array(nodeCount);
  const childCount = new Int32Array(nodeCount);
  // By node: the group and the edge that joins it to the group above; leaves are never read.
  const group = new Int32Array(nodeCount);
  const edgeAbove = new Int32Array(nodeCount);
  group[0] = groupOfEdge(components, groups, rootEdge);
  edgeAbove[0] = rootEdge;
  target[0] = graph.size - 1;
  const stack = [0];
  let filled = 1;
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const g = group[node]!;
    firstChild[node] = filled;
    kind[node] = NODE_KIND[kinds[g]!]!;
    for (let i = groupOffsets[g]!; i < groupOffsets[g + 1]!; i++) {
      const e = groupEdges[i]!;
      if (e === edgeAbove[node]) continue;
      edgeAbove[filled] = e;
      if (e < given) {
        edge[filled] = e;
        source[filled] = graph.edgeFrom[e]!;
        target[filled] = graph.edgeTo[e]!;
      } else {
        const a = groupOf[first[e - given]!]!;
        group[filled] = a === g ? groupOf[second[e - given]!]! : a;
        stack.push(filled);
        source[filled] = virtualFrom[e - given]!;
        target[filled] = virtualTo[e - given]!;
      }
      filled++;
    }
    childCount[node] = filled - firstChild[node]!;
  }
  return { kind, source, target, edge, firstChild, childCount };
}

/** The group of a given edge. */
function groupOfEdge({ edges, offsets }: SplitComponents, { groupOf }: Groups, edge: number): number {
  const at = edges.indexOf(edge);
  return groupOf[offsets.findIndex((offset, c) => offset <= at && at < offsets[c + 1]!)]!;
}

const SINGLE_EDGE: DivisionDraft = {
  kind: Uint8Array.of(LEAF),
  source: Int32Array.of(0),
  target: Int32Array.of(1),
  edge: Int32Array.of(0),
  firstChild: Int32Array.of(1),
  childCount: Int32Array.of(0),
};
