import { sortByKey } from '../counting-sort.ts';

/** An undirected graph as the ends of its edges; `edges` lists the ids that take part. */
export interface SimpleGraph {
  readonly size: number;
  readonly edges: Int32Array;
  readonly from: ArrayLike<number>;
  readonly to: ArrayLike<number>;
}

/**
 * The palm tree of a biconnected graph: a depth-first tree whose arcs lead away from the root and whose
 * other edges, the fronds, lead back to an ancestor. Vertices are called by their numbers 1..size; the
 * subtree of v has the numbers v .. v + descendants[v] - 1.
 */
export interface PalmTree {
  readonly size: number;
  /** Number to vertex; index 0 is unused here and in the arrays by number. */
  readonly vertexAt: Int32Array;
  /** By edge id: the ends as numbers, and 1 for tree arcs. Edges that take no part have zeros. */
  readonly tail: Int32Array;
  readonly head: Int32Array;
  readonly isTreeArc: Uint8Array;
  /** By number. */
  readonly father: Int32Array;
  readonly treeArc: Int32Array;
  readonly descendants: Int32Array;
  readonly degree: Int32Array;
  /** Lowest and second lowest number that the subtree of v reaches by one frond, or v itself. */
  readonly low1: Int32Array;
  readonly low2: Int32Array;
  /** Arcs and fronds that leave v in the order of the path search: arcs[firstArc[v] .. lastArc[v]]. */
  readonly arcs: Int32Array;
  readonly firstArc: Int32Array;
  readonly lastArc: Int32Array;
  /** All fronds in the order in which the path search meets them. */
  readonly fronds: readonly number[];
}

/**
 * Numbers and orders a biconnected graph for the path search: steps 2 and 3 of Hopcroft and Tarjan,
 * "Dividing a graph into triconnected components", 1973, with the order of Gutwenger and Mutzel, "A
 * linear time implementation of SPQR-trees", 2000. The root is vertex 0. Time and space O(V + E).
 */
export function buildPalmTree(graph: SimpleGraph): PalmTree {
  const search = depthFirst(graph);
  const { arcs, offsets } = orderArcs(graph, search);
  const { newNumber, fronds } = renumber(graph, search, arcs, offsets);
  const { size } = graph;
  const vertexAt = new Int32Array(size + 1);
  for (let v = 0; v < size; v++) vertexAt[newNumber[v]!] = v;
  // Low points are ancestors, whose order the new numbers keep.
  const byNumber = (value: (vertex: number) => number): Int32Array =>
    vertexAt.map((vertex, number) => (number === 0 ? 0 : value(vertex)));
  const renamed = (number: number): number => newNumber[search.vertexAt[number]!]!;
  const degree = new Int32Array(size + 1);
  const treeArc = new Int32Array(size + 1).fill(-1);
  const tail = new Int32Array(search.tail.length);
  const head = new Int32Array(search.tail.length);
  for (const e of graph.edges) {
    tail[e] = newNumber[search.tail[e]!]!;
    head[e] = newNumber[search.head[e]!]!;
    degree[tail[e]!]!++;
    degree[head[e]!]!++;
    if (search.isTreeArc[e] === 1) treeArc[head[e]!] = e;
  }
  return {
    size,
    vertexAt,
    tail,
    head,
    isTreeArc: search.isTreeArc,
    father: byNumber((v) => (v === 0 ? 0 : newNumber[search.father[v]!]!)),
    treeArc,
    descendants: byNumber((v) => search.descendants[v]!),
    degree,
    low1: byNumber((v) => renamed(search.low1[v]!)),
    low2: byNumber((v) => renamed(search.low2[v]!)),
    arcs,
    firstArc: byNumber((v) => offsets[v]!),
    lastArc: byNumber((v) => offsets[v + 1]! - 1),
    fronds,
  };
}

/** The first search: arrays by vertex, with numbers in order of discovery. */
interface DepthFirst {
  readonly number: Int32Array;
  readonly vertexAt: Int32Array;
  readonly father: Int32Array;
  readonly descendants: Int32Array;
  readonly low1: Int32Array;
  readonly low2: Int32Array;
  /** By edge, as vertices. */
  readonly tail: Int32Array;
  readonly head: Int32Array;
  readonly isTreeArc: Uint8Array;
}

function depthFirst(graph: SimpleGraph): DepthFirst {
  const { size, edges, from, to } = graph;
  const capacity = from.length;
  const ends = new Int32Array(edges.length * 2);
  const bothWays = new Int32Array(edges.length * 2);
  edges.forEach((e, i) => {
    ends[2 * i] = from[e]!;
    ends[2 * i + 1] = to[e]!;
    bothWays[2 * i] = e;
    bothWays[2 * i + 1] = e;
  });
  const { sorted: incident, offsets } = sortByKey(bothWays, ends, size);
  const number = new Int32Array(size);
  const vertexAt = new Int32Array(size + 1);
  const father = new Int32Array(size);
  const tail = new Int32Array(capacity);
  const head = new Int32Array(capacity);
  const isTreeArc = new Uint8Array(capacity);
  const seen = new Uint8Array(capacity);
  const cursor = offsets.slice(0, size);
  const stack = new Int32Array(size);
  let depth = 1;
  let count = 1;
  number[0] = 1;
  while (depth > 0) {
    const v = stack[depth - 1]!;
    if (cursor[v] === offsets[v + 1]) {
      depth--;
      continue;
    }
    const e = incident[cursor[v]!++]!;
    if (seen[e] === 1) continue;
    seen[e] = 1;
    const w = from[e] === v ? to[e]! : from[e]!;
    tail[e] = v;
    head[e] = w;
    if (number[w] !== 0) continue;
    isTreeArc[e] = 1;
    number[w] = ++count;
    vertexAt[count] = w;
    father[w] = v;
    stack[depth++] = w;
  }
  const low = lowPoints(graph, { number, vertexAt, father, tail, head, isTreeArc });
  return { number, vertexAt, father, tail, head, isTreeArc, ...low };
}

function lowPoints(
  graph: SimpleGraph,
  search: Pick<DepthFirst, 'number' | 'vertexAt' | 'father' | 'tail' | 'head' | 'isTreeArc'>,
): Pick<DepthFirst, 'descendants' | 'low1' | 'low2'> {
  const { number, vertexAt, father, tail, head, isTreeArc } = search;
  const descendants = new Int32Array(graph.size).fill(1);
  const low1 = number.slice();
  const low2 = number.slice();
  const offer = (v: number, reached: number): void => {
    if (reached < low1[v]!) {
      low2[v] = low1[v]!;
      low1[v] = reached;
    } else if (reached > low1[v]! && reached < low2[v]!) low2[v] = reached;
  };
  for (const e of graph.edges) if (isTreeArc[e] === 0) offer(tail[e]!, number[head[e]!]!);
  for (let i = graph.size; i > 1; i--) {
    const v = vertexAt[i]!;
    offer(father[v]!, low1[v]!);
    offer(father[v]!, low2[v]!);
    descendants[father[v]!]! += descendants[v]!;
  }
  return { descendants, low1, low2 };
}

/** Adjacency lists ordered so that the first path from a vertex leads as low as possible. */
function orderArcs(graph: SimpleGraph, search: DepthFirst): { arcs: Int32Array; offsets: Int32Array } {
  const { number, low1, low2, tail, head, isTreeArc } = search;
  const rank = Int32Array.from(graph.edges, (e) => {
    const v = tail[e]!;
    const w = head[e]!;
    if (isTreeArc[e] === 0) return 3 * number[w]! + 1;
    return low2[w]! < number[v]! ? 3 * low1[w]! : 3 * low1[w]! + 2;
  });
  const byRank = sortByKey(graph.edges, rank, 3 * graph.size + 3).sorted;
  const tails = byRank.map((e) => tail[e]!);
  const { sorted, offsets } = sortByKey(byRank, tails, graph.size);
  return { arcs: sorted, offsets };
}

/** The second search: numbers such that of two siblings the one searched first has the higher numbers. */
function renumber(
  graph: SimpleGraph,
  search: DepthFirst,
  arcs: Int32Array,
  offsets: Int32Array,
): { newNumber: Int32Array; fronds: number[] } {
  const newNumber = new Int32Array(graph.size);
  const fronds: number[] = [];
  const cursor = offsets.slice(0, graph.size);
  const stack = new Int32Array(graph.size);
  let depth = 1;
  let highest = graph.size;
  newNumber[0] = 1;
  while (depth > 0) {
    const v = stack[depth - 1]!;
    if (cursor[v] === offsets[v + 1]) {
      depth--;
      highest--;
      continue;
    }
    const e = arcs[cursor[v]!++]!;
    if (search.isTreeArc[e] === 0) {
      fronds.push(e);
      continue;
    }
    const w = search.head[e]!;
    newNumber[w] = highest - search.descendants[w]! + 1;
    stack[depth++] = w;
  }
  return { newNumber, fronds };
}
