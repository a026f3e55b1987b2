import { indices, sortByKey } from '../../typed-arrays.ts';

/** An undirected graph without parallel edges; its edges have from < to and are sorted by both. */
export interface SimpleGraph {
  readonly size: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/**
 * The palm tree of a biconnected graph: a depth-first tree whose arcs lead away from the root and whose
 * other edges, the fronds, lead back to an ancestor. Vertices are called by their numbers 1..size; the
 * subtree of v has the numbers v .. v + descendants[v] - 1. Arrays by number leave index 0 unused.
 */
export interface PalmTree {
  readonly size: number;
  /** Number to vertex. */
  readonly vertexAt: Int32Array;
  readonly father: Int32Array;
  readonly descendants: Int32Array;
  /** Lowest and second lowest number that the subtree of v reaches by one frond, or v itself. */
  readonly low1: Int32Array;
  readonly low2: Int32Array;
  /**
   * A(v): the arcs and fronds that leave v are called firstArc[v] .. lastArc[v], in the order of the path
   * search. So neighbours in the search are neighbours in memory.
   */
  readonly firstArc: Int32Array;
  readonly lastArc: Int32Array;
  /** By arc: the edge of the graph, its ends as numbers, and 1 for tree arcs. */
  readonly edge: Int32Array;
  readonly tail: Int32Array;
  readonly head: Int32Array;
  readonly isTreeArc: Uint8Array;
  /** All fronds in the order in which the path search meets them. */
  readonly fronds: Int32Array;
}

/**
 * Numbers and orders a biconnected graph for the path search: steps 2 and 3 of Hopcroft and Tarjan,
 * "Dividing a graph into triconnected components", 1973, with the order of Gutwenger and Mutzel, "A
 * linear time implementation of SPQR-trees", 2000. The root is vertex 0. Time and space O(V + E).
 */
export function buildPalmTree(graph: SimpleGraph): PalmTree {
  const search = depthFirst(graph);
  const low = lowPoints(search);
  const { arcs, offsets } = orderArcs(search, low);
  const { newNumber, fronds } = renumber(search, low.descendants, arcs, offsets);
  const size = graph.size;
  const tree = {
    size,
    vertexAt: new Int32Array(size + 1),
    father: new Int32Array(size + 1),
    descendants: new Int32Array(size + 1),
    low1: new Int32Array(size + 1),
    low2: new Int32Array(size + 1),
    firstArc: new Int32Array(size + 1),
    lastArc: new Int32Array(size + 1),
  };
  for (let old = 1; old <= size; old++) {
    const v = newNumber[old]!;
    tree.vertexAt[v] = search.vertexAt[old]!;
    tree.father[v] = newNumber[search.father[old]!]!;
    tree.descendants[v] = low.descendants[old]!;
    // Low points are ancestors, whose order the new numbers keep.
    tree.low1[v] = newNumber[low.low1[old]!]!;
    tree.low2[v] = newNumber[low.low2[old]!]!;
    tree.firstArc[v] = offsets[old]!;
    tree.lastArc[v] = offsets[old + 1]! - 1;
  }
  return {
    ...tree,
    edge: arcs.map((met) => search.edge[met]!),
    tail: arcs.map((met) => newNumber[search.tail[met]!]!),
    head: arcs.map((met) => newNumber[search.head[met]!]!),
    isTreeArc: search.isTreeArc.map((_, arc) => search.isTreeArc[arcs[arc]!]!),
    fronds,
  };
}

/** The first search; numbers in order of discovery from 1, 0 for "none". */
interface DepthFirst {
  readonly vertexAt: Int32Array;
  readonly father: Int32Array;
  /** Edges in the order in which the search meets them, with their ends as numbers. */
  readonly edge: Int32Array;
  readonly tail: Int32Array;
  readonly head: Int32Array;
  readonly isTreeArc: Uint8Array;
}

function depthFirst({ size, from, to }: SimpleGraph): DepthFirst {
  const edgeCount = from.length;
  // Edges out of v are neighbours already: nextOut[v] .. endOut[v]. Edges into v follow when those are done.
  const endOut = new Int32Array(size);
  for (let e = 0; e < edgeCount; e++) endOut[from[e]!] = e + 1;
  const nextOut = new Int32Array(size);
  for (let e = edgeCount - 1; e >= 0; e--) nextOut[from[e]!] = e;
  const into = sortByKey(to, size);
  const nextInto = into.offsets.slice(0, size);
  const number = new Int32Array(size);
  const vertexAt = new Int32Array(size + 1);
  const father = new Int32Array(size + 1);
  const edge = new Int32Array(edgeCount);
  const tail = new Int32Array(edgeCount);
  const head = new Int32Array(edgeCount);
  const isTreeArc = new Uint8Array(edgeCount);
  const isMet = new Uint8Array(edgeCount);
  const stack = new Int32Array(size);
  let depth = 1;
  let count = 1;
  let met = 0;
  number[0] = 1;
  while (depth > 0) {
    const v = stack[depth - 1]!;
    let e: number;
    let w: number;
    if (nextOut[v]! < endOut[v]!) {
      e = nextOut[v]!++;
      w = to[e]!;
    } else if (nextInto[v]! < into.offsets[v + 1]!) {
      e = into.sorted[nextInto[v]!++]!;
      w = from[e]!;
    } else {
      depth--;
      continue;
    }
    if (isMet[e] === 1) continue;
    isMet[e] = 1;
    edge[met] = e;
    tail[met] = number[v]!;
    if (number[w] === 0) {
      isTreeArc[met] = 1;
      number[w] = ++count;
      vertexAt[count] = w;
      father[count] = number[v]!;
      stack[depth++] = w;
    }
    head[met++] = number[w]!;
  }
  return { vertexAt, father, edge, tail, head, isTreeArc };
}

interface LowPoints {
  readonly descendants: Int32Array;
  readonly low1: Int32Array;
  readonly low2: Int32Array;
}

function lowPoints({ father, tail, head, isTreeArc }: DepthFirst): LowPoints {
  const descendants = new Int32Array(father.length).fill(1);
  const low1 = indices(father.length);
  const low2 = indices(father.length);
  const offer = (v: number, reached: number): void => {
    if (reached < low1[v]!) {
      low2[v] = low1[v]!;
      low1[v] = reached;
    } else if (reached > low1[v]! && reached < low2[v]!) low2[v] = reached;
  };
  for (let i = 0; i < tail.length; i++) if (isTreeArc[i] === 0) offer(tail[i]!, head[i]!);
  for (let v = father.length - 1; v > 1; v--) {
    offer(father[v]!, low1[v]!);
    offer(father[v]!, low2[v]!);
    descendants[father[v]!]! += descendants[v]!;
  }
  return { descendants, low1, low2 };
}

/** Edges by tail, ordered so that the first path from a vertex leads as low as possible. */
function orderArcs(
  { father, tail, head, isTreeArc }: DepthFirst,
  { low1, low2 }: LowPoints,
): { arcs: Int32Array; offsets: Int32Array } {
  const rank = tail.map((v, i) => {
    const w = head[i]!;
    if (isTreeArc[i] === 0) return 3 * w + 1;
    return low2[w]! < v ? 3 * low1[w]! : 3 * low1[w]! + 2;
  });
  const byRank = sortByKey(rank, 3 * father.length).sorted;
  const { sorted, offsets } = sortByKey(tail, father.length, byRank);
  return { arcs: sorted, offsets };
}

/** The second search: numbers such that of two siblings the one searched first has the higher numbers. */
function renumber(
  { head, isTreeArc }: DepthFirst,
  descendants: Int32Array,
  arcs: Int32Array,
  offsets: Int32Array,
): { newNumber: Int32Array; fronds: Int32Array } {
  const size = descendants.length - 1;
  const newNumber = new Int32Array(size + 1);
  const fronds = new Int32Array(arcs.length - size + 1);
  const next = offsets.slice(0, size + 1);
  const stack = new Int32Array(size);
  let depth = 1;
  let highest = size;
  let met = 0;
  stack[0] = 1;
  newNumber[1] = 1;
  while (depth > 0) {
    const v = stack[depth - 1]!;
    if (next[v] === offsets[v + 1]) {
      depth--;
      highest--;
      continue;
    }
    const arc = next[v]!++;
    if (isTreeArc[arcs[arc]!] === 0) {
      fronds[met++] = arc;
      continue;
    }
    const w = head[arcs[arc]!]!;
    newNumber[w] = highest - descendants[w]! + 1;
    stack[depth++] = w;
  }
  return { newNumber, fronds };
}
