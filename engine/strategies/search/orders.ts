import { type Graph, predecessorsOf, successorsOf } from '../../graph/graph.ts';
import { retiringOrder } from './retiring-order.ts';

/** The order in which the graph was built. */
export function givenOrder(graph: Graph): Int32Array {
  return Int32Array.from({ length: graph.size }, (_, v) => v);
}

/**
 * Depth first from the target over inputs: each vertex as late as its first reader in the walk asks
 * for it, so that one branch is finished before the next begins. `rank` says which input is walked
 * first (larger first). Time O(V + E log E).
 */
export function depthFirstOrder(graph: Graph, rank: (vertex: number) => number): Int32Array {
  const { size } = graph;
  const done = new Uint8Array(size);
  const order: number[] = [];
  const stack: { vertex: number; inputs: number[]; next: number }[] = [];
  const open = (vertex: number): void => {
    done[vertex] = 1;
    const inputs = [...predecessorsOf(graph, vertex)];
    inputs.sort((a, b) => rank(b) - rank(a) || a - b);
    stack.push({ vertex, inputs, next: 0 });
  };
  open(size - 1);
  while (stack.length > 0) {
    const top = stack[stack.length - 1];
    if (top === undefined) break;
    const input = top.inputs[top.next++];
    if (input === undefined) {
      order.push(top.vertex);
      stack.pop();
    } else if (done[input] !== 1) open(input);
  }
  return Int32Array.from(order);
}

/**
 * List scheduling: among the vertices whose inputs are there, the one after which the fewest bytes are
 * live for the forward; ties go to the most recently enabled, which keeps branches together.
 * Time O(V · W + E) for at most W vertices ready at a time.
 */
export function greedyOrder(graph: Graph, bytes: Float64Array): Int32Array {
  const { size } = graph;
  const waiting = new Int32Array(size);
  const readers = new Int32Array(size);
  for (let v = 0; v < size; v++) {
    waiting[v] = predecessorsOf(graph, v).length;
    readers[v] = successorsOf(graph, v).length;
  }
  const ready = [0];
  const order: number[] = [];
  while (ready.length > 0) {
    let best = -1;
    let bestGrowth = Number.POSITIVE_INFINITY;
    for (let i = ready.length - 1; i >= 0; i--) {
      const v = ready[i] ?? 0;
      let growth = bytes[v] ?? 0;
      const inputs = predecessorsOf(graph, v);
      for (let k = 0; k < inputs.length; k++) {
        const u = inputs[k] ?? 0;
        if (inputs.indexOf(u) !== k) continue;
        const left = (readers[u] ?? 0) - inputs.filter((w) => w === u).length;
        if (left === 0) growth -= bytes[u] ?? 0;
      }
      if (growth < bestGrowth) {
        bestGrowth = growth;
        best = i;
      }
    }
    const v = ready.splice(best, 1)[0] ?? 0;
    order.push(v);
    for (const u of predecessorsOf(graph, v)) readers[u] = (readers[u] ?? 0) - 1;
    for (const w of successorsOf(graph, v)) {
      const left = (waiting[w] ?? 0) - 1;
      waiting[w] = left;
      if (left === 0) ready.push(w);
    }
  }
  return Int32Array.from(order);
}

/** How many there are at most. */
export const MAX_ORDERS = 8;

/**
 * The topological orders worth trying, the most promising first: those that retire wide tensors, the
 * given one, those that finish one branch before the next, one that keeps the fewest bytes live.
 * Each is made when it is asked for; duplicates are left out. Only the given one where the executor keeps to it.
 */
export function* candidateOrders(graph: Graph): Generator<Int32Array, void, void> {
  const { bytes } = graph;
  const given = givenOrder(graph);
  if (graph.keepsOrder) {
    yield given;
    return;
  }
  const lateFirst = depthFirstOrder(graph, (v) => v);
  const earlyFirst = depthFirstOrder(graph, (v) => -v);
  const orders = [
    () => retiringOrder(graph, bytes, given, 'smaller'),
    () => retiringOrder(graph, bytes, given, 'no larger'),
    () => retiringOrder(graph, bytes, earlyFirst, 'smaller'),
    () => retiringOrder(graph, bytes, lateFirst, 'no larger'),
    () => given,
    () => lateFirst,
    () => earlyFirst,
    () => greedyOrder(graph, bytes),
  ];
  const seen: Int32Array[] = [];
  for (const make of orders) {
    const order = make();
    if (seen.some((other) => other.every((v, p) => v === order[p]))) continue;
    seen.push(order);
    yield order;
  }
}
