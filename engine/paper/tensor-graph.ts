import { BadInputError } from '../errors.ts';
import { sortByKey } from '../typed-arrays.ts';

/**
 * The papers' computation graph (000, section 4): a vertex is a tensor, an edge the operation between
 * two tensors. Directed and acyclic, vertices are 0..size-1 in topological order, vertex 0 is the only
 * source and vertex size-1 the only target, so every vertex lies on a path between them. Several edges
 * between two vertices and an edge from source to target are allowed. Read-only by convention: nobody
 * writes to the arrays after `createTensorGraph`.
 */
export interface TensorGraph {
  readonly size: number;
  readonly edgeCount: number;
  /** l(v) of the papers: cost of each vertex, non-negative safe integers, elements or bytes. */
  readonly cost: Float64Array;
  /** Ends of each edge; edges keep the order in which they were given. */
  readonly edgeFrom: Int32Array;
  readonly edgeTo: Int32Array;
  /** Edges that leave v: outEdges[outOffsets[v] .. outOffsets[v+1]), ascending. */
  readonly outOffsets: Int32Array;
  readonly outEdges: Int32Array;
  /** Edges that enter v: inEdges[inOffsets[v] .. inOffsets[v+1]), ascending. */
  readonly inOffsets: Int32Array;
  readonly inEdges: Int32Array;
}

/**
 * Builds a graph from the cost of each vertex and the edges, and checks every invariant above.
 * Time and space O(V + E).
 *
 * @param cost cost of vertex v at index v; all in one unit (elements or bytes)
 * @param edges [from, to] with from < to
 * @throws BadInputError with the path of the fault (`edges[3]`, `cost[17]`)
 */
export function createTensorGraph(
  cost: ArrayLike<number>,
  edges: readonly (readonly [from: number, to: number])[],
): TensorGraph {
  const size = cost.length;
  if (size < 2) throw new BadInputError('expected at least two vertices, the source and the target', 'cost');
  const edgeFrom = new Int32Array(edges.length);
  const edgeTo = new Int32Array(edges.length);
  for (let e = 0; e < edges.length; e++) {
    const [from, to] = edges[e]!;
    if (!isVertex(from, size) || !isVertex(to, size)) {
      throw new BadInputError(
        `expected two vertices in 0..${size - 1}, got ${from} and ${to}`,
        `edges[${e}]`,
      );
    }
    if (from >= to) {
      throw new BadInputError(`expected topological order, got an edge from ${from} to ${to}`, `edges[${e}]`);
    }
    edgeFrom[e] = from;
    edgeTo[e] = to;
  }
  const checkedCost = checkedCosts(cost);
  const out = sortByKey(edgeFrom, size);
  const into = sortByKey(edgeTo, size);
  const graph: TensorGraph = {
    size,
    edgeCount: edges.length,
    cost: checkedCost,
    edgeFrom,
    edgeTo,
    outOffsets: out.offsets,
    outEdges: out.sorted,
    inOffsets: into.offsets,
    inEdges: into.sorted,
  };
  checkEnds(graph);
  return graph;
}

function isVertex(v: number, size: number): boolean {
  return Number.isInteger(v) && v >= 0 && v < size;
}

function checkedCosts(cost: ArrayLike<number>): Float64Array {
  let total = 0;
  for (let v = 0; v < cost.length; v++) {
    const value = cost[v]!;
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new BadInputError(`expected a non-negative safe integer, got ${value}`, `cost[${v}]`);
    }
    total += value;
    // Sums of costs are compared for equality, so they have to be exact too.
    if (!Number.isSafeInteger(total)) {
      throw new BadInputError('expected costs whose sum is a safe integer', `cost[${v}]`);
    }
  }
  return Float64Array.from(cost);
}

/**
 * With edges from smaller to larger vertices, one incoming edge at each vertex but the first and one
 * outgoing at each but the last put every vertex on a path from source to target.
 */
function checkEnds(graph: TensorGraph): void {
  for (let v = 0; v < graph.size; v++) {
    if (v > 0 && inDegree(graph, v) === 0) {
      throw new BadInputError(`expected an edge into vertex ${v}: 0 is the only source`, 'edges');
    }
    if (v < graph.size - 1 && outDegree(graph, v) === 0) {
      throw new BadInputError(
        `expected an edge out of vertex ${v}: ${graph.size - 1} is the only target`,
        'edges',
      );
    }
  }
}

/** Ids of the edges that leave `v`, ascending. */
export function outEdgesOf(graph: TensorGraph, v: number): Int32Array {
  return graph.outEdges.subarray(graph.outOffsets[v], graph.outOffsets[v + 1]);
}

/** Ids of the edges that enter `v`, ascending. */
export function inEdgesOf(graph: TensorGraph, v: number): Int32Array {
  return graph.inEdges.subarray(graph.inOffsets[v], graph.inOffsets[v + 1]);
}

export function outDegree(graph: TensorGraph, v: number): number {
  return graph.outOffsets[v + 1]! - graph.outOffsets[v]!;
}

export function inDegree(graph: TensorGraph, v: number): number {
  return graph.inOffsets[v + 1]! - graph.inOffsets[v]!;
}

/** True if the graph is an LCG (000, figure 2a): a single path, no edge beside it. O(1). */
export function isLinearGraph(graph: TensorGraph): boolean {
  // Every vertex but the source has an incoming edge, so size - 1 edges leave one for each, and since
  // every vertex but the target has an outgoing one too, each has exactly one.
  return graph.edgeCount === graph.size - 1;
}
