import { type Graph, predecessorsOf, successorsOf } from '../../graph/graph.ts';

/**
 * Branch by branch, but tensors that can be replaced by something smaller are retired first: where all
 * remaining readers of a live tensor can run and what they put in its place is smaller, they run at
 * once (a cell's output is followed by every projection of it, however late the projections are used).
 * Otherwise the chain that comes first in `base` goes on. Chains are maximal paths without branching.
 * Time O(V + E) for bounded degrees, space O(V + E).
 */
export function retiringOrder(
  graph: Graph,
  bytes: Float64Array,
  base: Int32Array,
  replacement: 'smaller' | 'no larger',
): Int32Array {
  const { size } = graph;
  const chains = chainsOf(graph);
  const chainOf = new Int32Array(size);
  chains.forEach((chain, c) => {
    for (const v of chain) chainOf[v] = c;
  });
  const rank = new Int32Array(size);
  base.forEach((v, p) => {
    rank[v] = p;
  });
  const head = (c: number): number => chains[c]![0]!;
  const tail = (c: number): number => chains[c]![chains[c]!.length - 1]!;
  const inputsOf = chains.map((chain) => [...new Set(predecessorsOf(graph, chain[0]!))]);
  const readersOf = chains.map((_, c) => [
    ...new Set(Array.from(successorsOf(graph, tail(c)), (v) => chainOf[v]!)),
  ]);
  const waiting = Int32Array.from(chains, (_, c) => inputsOf[c]!.length);
  const left = Int32Array.from(chains, (_, c) => readersOf[c]!.length);
  const done = new Uint8Array(chains.length);
  const order: number[] = [];
  const ready: number[] = [];
  const live = new Set<number>();

  const run = (c: number): void => {
    done[c] = 1;
    for (const v of chains[c]!) order.push(v);
    for (const u of inputsOf[c]!) {
      const from = chainOf[u]!;
      left[from]!--;
      if (left[from] === 0) live.delete(from);
    }
    if (readersOf[c]!.length > 0) live.add(c);
    for (const reader of readersOf[c]!) {
      waiting[reader]!--;
      if (waiting[reader] === 0) ready.push(reader);
    }
  };
  /** Bytes freed by running all remaining readers of a tensor; negative infinity where one cannot run yet. */
  const gainOf = (c: number): number => {
    let gain = bytes[tail(c)]!;
    for (const reader of readersOf[c]!) {
      if (done[reader] === 1) continue;
      if (waiting[reader]! > 0) return Number.NEGATIVE_INFINITY;
      gain -= bytes[tail(reader)]!;
      for (const u of inputsOf[reader]!) {
        const other = chainOf[u]!;
        if (other !== c && left[other] === 1) gain += bytes[tail(other)]!;
      }
    }
    return gain;
  };

  run(chainOf[0]!);
  while (order.length < size) {
    let best = -1;
    let bestGain = replacement === 'smaller' ? 0 : -1;
    for (const c of live) {
      const gain = gainOf(c);
      if (gain > bestGain || (gain === bestGain && best >= 0 && head(c) < head(best))) {
        bestGain = gain;
        best = c;
      }
    }
    if (best >= 0) {
      for (const reader of readersOf[best]!) if (done[reader] !== 1) run(reader);
      continue;
    }
    let next = -1;
    for (let i = ready.length - 1; i >= 0; i--) {
      const c = ready[i]!;
      if (done[c] === 1) ready.splice(i, 1);
      else if (next < 0 || rank[head(c)]! < rank[head(next)]!) next = c;
    }
    run(next);
  }
  return Int32Array.from(order);
}

/** Maximal paths whose inner steps have one reader and one input, in topological order of their heads. */
function chainsOf(graph: Graph): number[][] {
  const chains: number[][] = [];
  const chainAt = new Map<number, number[]>();
  for (let v = 0; v < graph.size; v++) {
    const inputs = predecessorsOf(graph, v);
    const only = inputs.length === 1 ? inputs[0]! : -1;
    const extends_ = only > 0 && successorsOf(graph, only).length === 1;
    const chain = extends_ ? chainAt.get(only)! : [];
    if (!extends_) chains.push(chain);
    chain.push(v);
    chainAt.set(v, chain);
  }
  return chains;
}
