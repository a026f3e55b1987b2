import type { TensorGraph } from './tensor-graph.ts';

/** Kinds of a node of the division tree, as stored in `DivisionTree.kind`. */
export const LEAF = 0;
export const LINEAR = 1;
export const BRANCH = 2;
export const COMPLICATE = 3;

/** `leaf`: one edge; the others are the IS types of Definitions 3, 4 and 5 (000). */
export type DivisionKind = 'leaf' | 'linear' | 'branch' | 'complicate';

const KIND_NAMES: readonly DivisionKind[] = ['leaf', 'linear', 'branch', 'complicate'];

/**
 * The division tree of a computation graph (000, figure 5): the root is the whole graph, the children
 * of an independent segment (IS) are the members of its division, the leaves are single edges. Unique
 * by Theorem 1. Stored as flat arrays indexed by node, in an order in which the children of a node are
 * neighbours and a parent precedes its children, so that no walk needs recursion: forwards is top-down,
 * backwards is bottom-up. Space O(V + E).
 */
export interface DivisionTree {
  readonly graph: TensorGraph;
  /** Node 0 is the root. */
  readonly nodeCount: number;
  readonly kind: Uint8Array;
  /** Ends v_i and v_j of the node's IS s_ij. */
  readonly source: Int32Array;
  readonly target: Int32Array;
  /** l(s_ij): sum of the costs of the vertices strictly inside, in the unit of `graph.cost`. */
  readonly cost: Float64Array;
  /**
   * Cost of the largest segment when both ends are checkpoints and nothing inside is: the cost, but
   * for a Branch IS the cost of its largest branch, as its branches are then segments of their own.
   */
  readonly largestSegment: Float64Array;
  /**
   * Children of a node: firstChild .. firstChild + childCount - 1. Members of a Linear IS in order
   * from source to target; others by source, target, smallest vertex inside (edges first), edge.
   */
  readonly firstChild: Int32Array;
  readonly childCount: Int32Array;
  /** -1 for the root. */
  readonly parent: Int32Array;
  /** The edge that a leaf is; -1 for other nodes. */
  readonly edge: Int32Array;
  /**
   * By vertex: the one node in whose division the vertex connects members without being an end of the
   * node: a linear splitting vertex of a Linear IS or a connecting vertex of a Complicate IS; -1 for
   * the source and the target of the graph.
   */
  readonly owner: Int32Array;
}

/** One node of the tree as an object, for JSON, drawing and tests. */
export interface DivisionNode {
  readonly kind: DivisionKind;
  readonly source: number;
  readonly target: number;
  readonly cost: number;
  /** Leaves only. */
  readonly edge?: number;
  /** All but leaves. */
  readonly children?: readonly DivisionNode[];
}

export function kindOf(tree: DivisionTree, node: number): DivisionKind {
  return KIND_NAMES[tree.kind[node]!]!;
}

/**
 * The tree below `node` as nested objects. Time and space O(size of the subtree). The nesting is as
 * deep as the tree: JSON.stringify needs stack for it, so keep to graphs that fit on a screen.
 */
export function divisionTreeToJson(tree: DivisionTree, node = 0): DivisionNode {
  const below = [node];
  for (let i = 0; i < below.length; i++) {
    const first = tree.firstChild[below[i]!]!;
    for (let c = 0; c < tree.childCount[below[i]!]!; c++) below.push(first + c);
  }
  const objects = new Map<number, DivisionNode>();
  for (const n of below.reverse()) objects.set(n, toNode(tree, n, objects));
  return objects.get(node)!;
}

function toNode(tree: DivisionTree, node: number, objects: Map<number, DivisionNode>): DivisionNode {
  const kind = kindOf(tree, node);
  const base = { kind, source: tree.source[node]!, target: tree.target[node]!, cost: tree.cost[node]! };
  if (kind === 'leaf') return { ...base, edge: tree.edge[node]! };
  const first = tree.firstChild[node]!;
  const children = Array.from({ length: tree.childCount[node]! }, (_, c) => objects.get(first + c)!);
  return { ...base, children };
}
