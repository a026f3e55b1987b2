import { BadInputError } from '../errors.ts';
import type { TensorGraph } from './tensor-graph.ts';
import { indices } from '../typed-arrays.ts';
import { setRoot } from './set-root.ts';

/** One segment between checkpoints: the inside of an independent segment (000, Definition 1). */
export interface Segment {
  readonly source: number;
  readonly target: number;
  /** Sum of the costs of `vertices`, in the unit of `graph.cost`. */
  readonly cost: number;
  /** The vertices strictly inside, ascending. */
  readonly vertices: readonly number[];
}

export interface IndependentSegments {
  readonly ok: true;
  /** By smallest vertex. Checkpoints joined by a mere edge have no segment between them. */
  readonly segments: readonly Segment[];
}

/** Why a set of checkpoints does not cut the graph into independent segments, as data for a message. */
export interface NotIndependent {
  readonly ok: false;
  /** `several-sources`: the part reads two checkpoints or more; `several-targets`: it feeds as many. */
  readonly reason: 'several-sources' | 'several-targets';
  /** "not an independent segment because `from` needs `needs`": an edge needs -> from across the border. */
  readonly from: number;
  readonly needs: number;
  /** All checkpoints that the part reads and feeds, ascending (source and target of the graph count). */
  readonly sources: readonly number[];
  readonly targets: readonly number[];
  /** The vertices of the part, ascending. */
  readonly vertices: readonly number[];
}

/**
 * The segments that a set of checkpoints cuts a graph into: the weakly connected components of the
 * graph without the checkpoints, its source and its target. By Definition 1 (000) each has to have one
 * checkpoint that it reads and one that it feeds; parallel branches between the same two checkpoints
 * are segments of their own, as in Algorithm 5. Time O((V + E) log V) at worst, linear in practice, space O(V).
 *
 * @param checkpoints vertices in any order, repeats allowed; source and target may be among them
 * @throws BadInputError for a checkpoint that is not a vertex
 */
export function segmentsOf(
  graph: TensorGraph,
  checkpoints: Iterable<number>,
): IndependentSegments | NotIndependent {
  const kept = keptVertices(graph, checkpoints);
  const part = parts(graph, kept);
  const sources = ends(graph, kept, part, graph.edgeFrom, graph.edgeTo);
  const targets = ends(graph, kept, part, graph.edgeTo, graph.edgeFrom);
  const inside = new Map<number, number[]>();
  for (let v = 0; v < graph.size; v++) {
    if (kept[v] === 1) continue;
    const members = inside.get(part[v]!);
    if (members === undefined) inside.set(part[v]!, [v]);
    else members.push(v);
  }
  const bad = [...inside.keys()].find((p) => sources.second[p]! >= 0 || targets.second[p]! >= 0);
  if (bad !== undefined) {
    return explain(graph, kept, part, bad, inside.get(bad)!, sources.second[bad]!, targets.second[bad]!);
  }
  const segments = [...inside].map(([p, vertices]) => ({
    source: sources.first[p]!,
    target: targets.first[p]!,
    cost: vertices.reduce((sum, v) => sum + graph.cost[v]!, 0),
    vertices,
  }));
  return { ok: true, segments };
}

/**
 * True if `segmentsOf` would be ok, for many sets of one graph: nothing is explained, and a test allocates nothing.
 * Time as `segmentsOf`.
 *
 * @returns a test of vertices in any order, repeats allowed; each has to be one of the graph's
 */
export function independenceTest(graph: TensorGraph): (checkpoints: readonly number[]) => boolean {
  const { size, edgeCount, edgeFrom, edgeTo } = graph;
  const kept = new Uint8Array(size);
  const parent = new Int32Array(size);
  const source = new Int32Array(size);
  const target = new Int32Array(size);
  return (checkpoints) => {
    kept.fill(0);
    kept[0] = 1;
    kept[size - 1] = 1;
    for (const v of checkpoints) kept[v] = 1;
    for (let v = 0; v < size; v++) parent[v] = v;
    for (let e = 0; e < edgeCount; e++) {
      const from = edgeFrom[e]!;
      const to = edgeTo[e]!;
      if (kept[from] === 0 && kept[to] === 0) parent[setRoot(parent, to)] = setRoot(parent, from);
    }
    source.fill(-1);
    target.fill(-1);
    for (let e = 0; e < edgeCount; e++) {
      const from = edgeFrom[e]!;
      const to = edgeTo[e]!;
      if (kept[from] === kept[to]) continue;
      const ends = kept[from] === 1 ? source : target;
      const end = kept[from] === 1 ? from : to;
      const part = setRoot(parent, kept[from] === 1 ? to : from);
      if (ends[part] === -1) ends[part] = end;
      else if (ends[part] !== end) return false;
    }
    return true;
  };
}

/** 1 for each vertex that is never recomputed: the checkpoints, the source and the target. */
function keptVertices(graph: TensorGraph, checkpoints: Iterable<number>): Uint8Array {
  const kept = new Uint8Array(graph.size);
  for (const v of checkpoints) {
    if (!Number.isInteger(v) || v < 0 || v >= graph.size) {
      throw new BadInputError(`expected a vertex in 0..${graph.size - 1}, got ${v}`, 'checkpoints');
    }
    kept[v] = 1;
  }
  kept[0] = 1;
  kept[graph.size - 1] = 1;
  return kept;
}

/** The smallest vertex of each vertex's component; a vertex that is kept stays alone. */
function parts(graph: TensorGraph, kept: Uint8Array): Int32Array {
  const parent = indices(graph.size);
  for (let e = 0; e < graph.edgeCount; e++) {
    const from = graph.edgeFrom[e]!;
    const to = graph.edgeTo[e]!;
    if (kept[from] === 1 || kept[to] === 1) continue;
    const a = setRoot(parent, from);
    const b = setRoot(parent, to);
    parent[Math.max(a, b)] = Math.min(a, b);
  }
  return parent.map((_, v) => setRoot(parent, v));
}

/**
 * For each part the first kept vertex found at the outer end of its edges, and the id of an edge whose
 * outer end is another kept vertex, or -1.
 */
function ends(
  graph: TensorGraph,
  kept: Uint8Array,
  part: Int32Array,
  outer: Int32Array,
  inner: Int32Array,
): { first: Int32Array; second: Int32Array } {
  const first = new Int32Array(graph.size).fill(-1);
  const second = new Int32Array(graph.size).fill(-1);
  for (let e = 0; e < graph.edgeCount; e++) {
    const v = inner[e]!;
    const end = outer[e]!;
    if (kept[v] === 1 || kept[end] === 0) continue;
    const p = part[v]!;
    if (first[p] === -1) first[p] = end;
    else if (first[p] !== end && second[p] === -1) second[p] = e;
  }
  return { first, second };
}

function explain(
  graph: TensorGraph,
  kept: Uint8Array,
  part: Int32Array,
  bad: number,
  vertices: readonly number[],
  secondSource: number,
  secondTarget: number,
): NotIndependent {
  const reads = new Set<number>();
  const feeds = new Set<number>();
  for (let e = 0; e < graph.edgeCount; e++) {
    const from = graph.edgeFrom[e]!;
    const to = graph.edgeTo[e]!;
    if (kept[from] === 1 && kept[to] === 0 && part[to] === bad) reads.add(from);
    if (kept[to] === 1 && kept[from] === 0 && part[from] === bad) feeds.add(to);
  }
  const edge = secondSource >= 0 ? secondSource : secondTarget;
  return {
    ok: false,
    reason: secondSource >= 0 ? 'several-sources' : 'several-targets',
    from: graph.edgeTo[edge]!,
    needs: graph.edgeFrom[edge]!,
    sources: [...reads].sort((a, b) => a - b),
    targets: [...feeds].sort((a, b) => a - b),
    vertices,
  };
}
