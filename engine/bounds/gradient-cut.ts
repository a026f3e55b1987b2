import { FlowNetwork } from '../flow/flow-network.ts';
import { type Graph, predecessorsOf, successorsOf } from '../graph/graph.ts';

/**
 * The gradients that must live beside those of v and its inputs while backward v runs.
 *
 * Let B be the set of vertices whose backward has run just before. B holds with each vertex all its
 * consumers; it contains all descendants of v (backward v waits for them) and neither v nor an ancestor
 * of v (they wait for v). A vertex u outside B with a consumer in B has a gradient that is allocated and
 * not yet complete or not yet used, so it lives. So at least the minimum over all such B of
 *
 *     sum of g(u) over u outside B, u other than v and its inputs, with a consumer in B
 *
 * lives. B is a closure, so this is a minimum cut: every vertex u is an arc of capacity g(u) from u_in to
 * u_out, u_out leads to w_in of each consumer w, w_in back to u_in, ancestors hang on the source of the
 * flow and descendants on its sink. Only vertices that are neither, and ancestors with a consumer that
 * is no ancestor, have to be drawn. Vertices beyond the nearest vertices that split the graph before and
 * after v cannot be on such an arc. Time O(region^2 x arcs) at worst, near-linear in practice; space O(V).
 */
export class GradientCut {
  readonly #graph: Graph;
  readonly #gradientBytes: Float64Array;
  /** 1: ancestor of v, 2: descendant, 0: neither; v itself is 3. */
  readonly #relation: Uint8Array;
  readonly #node: Int32Array;
  /** The nearest splitting vertex at or before, and at or after, each vertex. */
  readonly #before: Int32Array;
  readonly #after: Int32Array;

  constructor(graph: Graph, gradientBytes: Float64Array) {
    this.#graph = graph;
    this.#gradientBytes = gradientBytes;
    this.#relation = new Uint8Array(graph.size);
    this.#node = new Int32Array(graph.size);
    const { before, after } = splitters(graph);
    this.#before = before;
    this.#after = after;
  }

  /** Number of vertices that the cut at v looks at. */
  region(v: number): number {
    return this.#after[v]! - this.#before[v]! + 1;
  }

  /** The least bytes of gradients that live at backward v beside those of v and its inputs. */
  least(v: number): number {
    const graph = this.#graph;
    if (this.#before[v] === v) return 0;
    const from = this.#before[v]!;
    const to = this.#after[v]!;
    const relation = this.#relation;
    relation.fill(0, from, to + 1);
    relation[v] = 3;
    for (let w = v + 1; w <= to; w++) {
      for (const u of predecessorsOf(graph, w)) if (u >= v && (relation[u]! & 2) !== 0) relation[w] = 2;
    }
    for (let u = v - 1; u >= from; u--) {
      for (const w of successorsOf(graph, u)) if (w <= v && (relation[w]! & 1) !== 0) relation[u] = 1;
    }
    return this.#cut(v, from, to);
  }

  #cut(v: number, from: number, to: number): number {
    const graph = this.#graph;
    const relation = this.#relation;
    const inputs = new Set(predecessorsOf(graph, v));
    const network = new FlowNetwork(2 * (to - from + 2));
    let nodes = 2;
    const endless = Number.POSITIVE_INFINITY;
    // Neither: in and out, named node and node + 1. Ancestors: out alone, fed by the source 0.
    for (let u = from; u <= to; u++) {
      if (relation[u] === 2 || relation[u] === 3) continue;
      this.#node[u] = nodes;
      if (relation[u] === 0) {
        network.add(nodes, nodes + 1, this.#gradientBytes[u]!);
        nodes += 2;
      } else if (successorsOf(graph, u).some((w) => relation[w] === 0 || relation[w] === 2)) {
        network.add(0, nodes + 1, inputs.has(u) ? 0 : this.#gradientBytes[u]!);
        nodes += 2;
      }
    }
    for (let u = from; u < to; u++) {
      if (relation[u] === 2 || relation[u] === 3) continue;
      const out = this.#node[u]! + 1;
      for (const w of successorsOf(graph, u)) {
        if (relation[w] === 2) network.add(out, 1, endless);
        if (relation[w] !== 0) continue;
        network.add(out, this.#node[w]!, endless);
        if (relation[u] === 0) network.add(this.#node[w]!, this.#node[u]!, endless);
      }
    }
    return network.maximumFlow(0, 1);
  }
}

/** By vertex: the nearest vertices, at or before and at or after it, that no edge jumps over: every path passes them. */
export function splitters(graph: Graph): { before: Int32Array; after: Int32Array } {
  const before = new Int32Array(graph.size);
  const after = new Int32Array(graph.size);
  let reach = 0;
  let last = 0;
  for (let v = 0; v < graph.size; v++) {
    if (reach <= v) last = v;
    before[v] = last;
    for (const w of successorsOf(graph, v)) reach = Math.max(reach, w);
  }
  for (let v = graph.size - 1, next = v; v >= 0; v--) {
    if (before[v] === v) next = v;
    after[v] = next;
  }
  return { before, after };
}
