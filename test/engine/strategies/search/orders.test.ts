import { describe, expect, it } from 'vitest';
import { type Graph, predecessorsOf, successorsOf } from '../../../../engine/graph/graph.ts';
import {
  candidateOrders,
  depthFirstOrder,
  givenOrder,
  greedyOrder,
  MAX_ORDERS,
} from '../../../../engine/strategies/search/orders.ts';
import { retiringOrder } from '../../../../engine/strategies/search/retiring-order.ts';
import { graphOf, measuredGraph } from '../../../support/measured-graphs.ts';
import { bytesProblem } from '../../../support/problems.ts';
import { between, createRng } from '../../../support/rng.ts';

const drawn = (cost: readonly number[], edges: string): Graph => bytesProblem(cost, edges).graph;

function isTopological(graph: Graph, order: Int32Array): boolean {
  const place = new Map([...order].map((v, p) => [v, p]));
  return (
    place.size === graph.size &&
    order.length === graph.size &&
    order.every((v, p) => predecessorsOf(graph, v).every((u) => place.get(u)! < p))
  );
}

//  v0 feeds two branches, v1 > v3 and v2 > v4, which v5 joins.
const branches = '0>1 0>2 1>3 2>4 3>5 4>5';

describe('orders', () => {
  it('finish one branch before the next, the one asked for first', () => {
    const graph = drawn([1, 1, 1, 1, 1, 1], branches);
    expect([...givenOrder(graph)]).toEqual([0, 1, 2, 3, 4, 5]);
    expect([...depthFirstOrder(graph, (v) => v)]).toEqual([0, 2, 4, 1, 3, 5]);
    expect([...depthFirstOrder(graph, (v) => -v)]).toEqual([0, 1, 3, 2, 4, 5]);
    // Equal rank: the earlier vertex comes first.
    expect([...depthFirstOrder(graph, () => 0)]).toEqual([0, 1, 3, 2, 4, 5]);
    // A value with two readers is ready for the first one.
    expect([...depthFirstOrder(drawn([1, 1, 1, 1, 1], '0>1 1>2 1>3 2>4 3>4'), (v) => v)]).toEqual([
      0, 1, 3, 2, 4,
    ]);
  });

  it('take next what leaves the fewest bytes live', () => {
    const greedy = (cost: readonly number[], edges = branches): number[] => {
      const graph = drawn(cost, edges);
      return [...greedyOrder(graph, graph.bytes)];
    };
    // v2 is smaller than v1; then v1, which frees the source; then v3, which frees more than v4.
    expect(greedy([10, 5, 3, 1, 1, 1])).toEqual([0, 2, 1, 3, 4, 5]);
    expect(greedy([10, 3, 5, 1, 1, 1])).toEqual([0, 1, 2, 4, 3, 5]);
    // All alike: the most recently enabled, so that a branch goes on.
    expect(greedy([1, 1, 1, 1, 1, 1])).toEqual([0, 2, 4, 1, 3, 5]);
    // Reading twice frees once: v3 gives 4 for 5, v2 gives 4 for 1.
    const twice = graphOf([
      { bytes: 1, flops: 0, inputs: [] },
      { bytes: 5, flops: 0, inputs: [0] },
      { bytes: 8, flops: 0, inputs: [0] },
      { bytes: 4, flops: 0, inputs: [1, 1] },
      { bytes: 4, flops: 0, inputs: [2] },
      { bytes: 1, flops: 0, inputs: [3, 4] },
    ]);
    expect([...greedyOrder(twice, twice.bytes)]).toEqual([0, 1, 3, 2, 4, 5]);
  });

  it('are distinct, in the order of the graph and no more than are counted', () => {
    const rng = createRng(111);
    let most = 0;
    for (let i = 0; i < 150; i++) {
      const graph = graphOf(measuredGraph(rng, { vertices: between(rng, 2, 14) }));
      const orders = [...candidateOrders(graph)];
      for (const order of orders) expect(isTopological(graph, order)).toBe(true);
      expect(new Set(orders.map(String)).size).toBe(orders.length);
      expect(orders.map(String)).toContain(String(givenOrder(graph)));
      expect(orders.map(String)).toContain(String(greedyOrder(graph, graph.bytes)));
      for (const sign of [1, -1])
        expect(orders.map(String)).toContain(String(depthFirstOrder(graph, (v) => sign * v)));
      most = Math.max(most, orders.length);
    }
    expect(most).toBeGreaterThan(4);
    expect(most).toBeLessThanOrEqual(MAX_ORDERS);
    const graph = drawn([1, 1, 1, 1, 1, 1], branches);
    expect([...candidateOrders({ ...graph, keepsOrder: true })].map(String)).toEqual(['0,1,2,3,4,5']);
  });
});

/** Retiring by the letter of its description: chains as lists, everything looked for again. */
function retired(graph: Graph, base: Int32Array, isStrict: boolean): number[] {
  const inputs = (v: number): number[] => [...new Set(predecessorsOf(graph, v))];
  const chains: number[][] = [];
  for (let v = 0; v < graph.size; v++) {
    const [u = 0] = inputs(v);
    const goesOn = predecessorsOf(graph, v).length === 1 && u > 0 && successorsOf(graph, u).length === 1;
    const chain = goesOn ? chains.find((one) => one.at(-1) === u) : undefined;
    if (chain === undefined) chains.push([v]);
    else chain.push(v);
  }
  const bytesOf = (chain: number[]): number => graph.bytes[chain.at(-1)!]!;
  const readers = (chain: number[]): number[][] =>
    chains.filter((other) => inputs(other[0]!).includes(chain.at(-1)!));
  const order: number[] = [];
  const ran = (chain: number[]): boolean => order.includes(chain[0]!);
  const left = (chain: number[]): number[][] => readers(chain).filter((other) => !ran(other));
  const canRun = (chain: number[]): boolean => inputs(chain[0]!).every((u) => order.includes(u));
  order.push(...chains[0]!);
  while (order.length < graph.size) {
    const gains = chains
      .filter((chain) => ran(chain) && left(chain).length > 0 && left(chain).every(canRun))
      .map((chain) => {
        let gain = bytesOf(chain);
        for (const reader of left(chain)) {
          gain -= bytesOf(reader);
          for (const other of chains)
            if (other !== chain && ran(other) && left(other).length === 1 && left(other)[0] === reader)
              gain += bytesOf(other);
        }
        return { chain, gain };
      })
      .filter(({ gain }) => (isStrict ? gain > 0 : gain >= 0))
      .sort((a, b) => b.gain - a.gain || a.chain[0]! - b.chain[0]!);
    const next =
      gains[0] === undefined
        ? [
            chains
              .filter((chain) => !ran(chain) && canRun(chain))
              .sort((a, b) => base.indexOf(a[0]!) - base.indexOf(b[0]!))[0]!,
          ]
        : left(gains[0].chain);
    for (const chain of next) order.push(...chain);
  }
  return order;
}

it('retiringOrder is what its description says on any graph', () => {
  const rng = createRng(112);
  for (let i = 0; i < 200; i++) {
    const graph = graphOf(measuredGraph(rng, { vertices: between(rng, 2, 14), denser: i % 3 }));
    for (const base of [givenOrder(graph), depthFirstOrder(graph, (v) => v)])
      for (const replacement of ['smaller', 'no larger'] as const) {
        const order = retiringOrder(graph, graph.bytes, base, replacement);
        expect(isTopological(graph, order)).toBe(true);
        expect([...order]).toEqual(retired(graph, base, replacement === 'smaller'));
      }
  }
});
