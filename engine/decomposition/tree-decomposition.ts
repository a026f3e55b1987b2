import { EliminationGraph } from './elimination-graph.ts';

/**
 * A tree decomposition of a graph, directions forgotten: every edge lies in a bag, and the bags of each
 * vertex are connected in the tree. Each bag separates the graph, so it is what a cut has to hold there.
 */
export interface TreeDecomposition {
  /** Vertices of each bag, ascending. No bag lies within its neighbour. */
  readonly bags: readonly (readonly number[])[];
  /** Parent of each bag, -1 for the root; parents come after their children. */
  readonly parent: Int32Array;
  /** Size of the largest bag; article 002 calls this the treewidth. */
  readonly largestBag: number;
  /** largestBag - 1, the usual definition. */
  readonly width: number;
}

/**
 * Tree decomposition by the min-fill heuristic: eliminate the vertex whose neighbours lack the fewest
 * edges among them, join its neighbours, repeat; a vertex and its neighbours at that moment are a bag.
 *
 * - Source: article 002 (Bulatov 2018, "min-fill decomposition"); ties go to the smaller degree, then to
 *   the smaller vertex.
 * - Guarantee: a valid decomposition. Its width is an upper bound on the treewidth; exact on chordal
 *   graphs, such as trees, and at most 2 on series-parallel graphs (linear and branch segments nested).
 * - Time O(F d + V log V) for F edges filled in and degrees up to d; space O(V + E + F).
 * - Assumptions: the graph is connected (else the tree is a forest); loops and repeated edges count nothing.
 * - Departures: none known; the article gives no details.
 *
 * @param edges pairs of vertices in 0..size-1
 */
export function treeDecomposition(
  size: number,
  edges: Iterable<readonly [from: number, to: number]>,
): TreeDecomposition {
  const graph = new EliminationGraph(size, edges);
  const order: number[] = [];
  const neighbours: number[][] = [];
  const place = new Int32Array(size);
  for (let v = graph.next(); v >= 0; v = graph.next()) {
    place[v] = order.length;
    order.push(v);
    neighbours.push(graph.eliminate(v));
  }
  return maximalBags(order, neighbours, place);
}

/** Bags in order of elimination, without those that lie within a child. */
function maximalBags(
  order: readonly number[],
  neighbours: readonly (readonly number[])[],
  place: Int32Array,
): TreeDecomposition {
  const count = order.length;
  // The bag hangs on that of the first of its other vertices to go: the rest of them is still there then.
  const above = Int32Array.from(neighbours, (bag) =>
    bag.reduce((least, u) => Math.min(least, place[u]!), count),
  );
  const standsFor = Int32Array.from(order, (_, i) => i);
  for (let i = 0; i < count; i++) {
    const up = above[i]!;
    if (up < count && neighbours[i]!.length === neighbours[up]!.length + 1 && standsFor[up] === up) {
      standsFor[up] = standsFor[i]!;
    }
  }
  const name = new Int32Array(count).fill(-1);
  const bags: number[][] = [];
  // A bag that stands for its ancestors hangs where the last of them does, so number by that one.
  const top = Int32Array.from(order, (_, i) => i);
  for (let i = 0; i < count; i++) top[standsFor[i]!] = i;
  for (let i = 0; i < count; i++) {
    const own = standsFor[i]!;
    if (top[own] !== i) continue;
    name[own] = bags.length;
    bags.push([order[own]!, ...neighbours[own]!].sort((a, b) => a - b));
  }
  const parent = new Int32Array(bags.length).fill(-1);
  for (let i = 0; i < count; i++) {
    const own = standsFor[i]!;
    if (top[own] === i && above[i]! < count) parent[name[own]!] = name[standsFor[above[i]!]!]!;
  }
  const largestBag = bags.reduce((largest, bag) => Math.max(largest, bag.length), 0);
  return { bags, parent, largestBag, width: Math.max(0, largestBag - 1) };
}

/**
 * Why a decomposition is not one of the graph, or null when it is. Knows nothing of how it was made.
 * Time and space O(sum of bag sizes + E x largest bag).
 */
export function faultOfDecomposition(
  size: number,
  edges: Iterable<readonly [from: number, to: number]>,
  { bags, parent }: Pick<TreeDecomposition, 'bags' | 'parent'>,
): string | null {
  const bagsOf: number[][] = Array.from({ length: size }, () => []);
  for (const [i, bag] of bags.entries()) for (const v of bag) bagsOf[v]?.push(i);
  const members = bags.map((bag) => new Set(bag));
  for (const [from, to] of edges) {
    const inOne = (bagsOf[from] ?? []).some((i) => members[i]?.has(to));
    if (!inOne) return `no bag holds the edge from ${from} to ${to}`;
  }
  for (let i = 0; i < bags.length; i++) {
    const up = parent[i] ?? -1;
    if (up !== -1 && !(up > i && up < bags.length))
      return `bag ${i} hangs on ${up}, which does not come after it`;
  }
  for (let v = 0; v < size; v++) {
    const own = bagsOf[v] ?? [];
    if (own.length === 0) return `no bag holds vertex ${v}`;
    // A subtree of k bags has k - 1 of its edges to parents inside.
    const inside = own.filter((i) => members[parent[i] ?? -1]?.has(v)).length;
    if (inside !== own.length - 1) return `the bags of vertex ${v} are not connected`;
  }
  return null;
}
