import { describe, expect, it } from 'vitest';
import { type Graph, idOf, predecessorsOf } from '../../../engine/graph/graph.ts';
import { memoryModel } from '../../../engine/ops/memory-model.ts';
import { liuOrder } from '../../../engine/pebbling/liu-order.ts';
import { orderOf, PEBBLE_ORDERS, type PebbleOrder } from '../../../engine/pebbling/orders.ts';
import { type Pebbling, playPebbles } from '../../../engine/pebbling/pebbles.ts';
import { recomputeOrder } from '../../../engine/pebbling/recompute-order.ts';
import { createProblem } from '../../../engine/problem.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { leastPebbleBytes } from '../../support/least-pebbles.ts';
import { bytesChain, bytesGraph, bytesProblem, randomProblems } from '../../support/problems.ts';
import { fewest } from '../../support/draws.ts';
import { between, chance, createRng, type Rng } from '../../support/rng.ts';

function played(graph: Graph, name: PebbleOrder): Pebbling {
  const memory = memoryModel(graph, 'pytorch');
  const order = orderOf(graph, memory, name);
  if (typeof order === 'string') throw new Error(order);
  return playPebbles(graph, memory, order);
}

/** v1 .. v(n-1) in a tree towards the last of them; the source weighs nothing. */
function randomTree(rng: Rng, n: number, most = 9): Graph {
  const edges: [number, number][] = [];
  const fed = new Set<number>();
  for (let v = 1; v < n - 1; v++) {
    // Mostly near, so that some trees are deep and others bushy.
    const to = chance(rng, 0.5) ? Math.min(n - 1, v + between(rng, 1, 3)) : between(rng, v + 1, n - 1);
    edges.push([v, to]);
    fed.add(to);
  }
  for (let v = 1; v < n; v++) if (!fed.has(v)) edges.push([0, v]);
  const cost = Array.from({ length: n }, (_, v) => (v === 0 ? 0 : between(rng, 0, most)));
  return bytesGraph({ n, edges, cost });
}

describe("002: the pebble game's orders", () => {
  it('takes 4 pebbles with the leaves first and 3 with x4 deferred', () => {
    const graph = buildModel('expression', { batch: 1 });
    const ids = (play: Pebbling): string[] => [...play.order].map((v) => idOf(graph, v));
    const [soon, late, least] = (['asap', 'alap', 'liu'] as const).map((name) => played(graph, name));
    expect(soon?.mostPebbles).toBe(4);
    expect(late?.mostPebbles).toBe(3);
    expect(least?.mostPebbles).toBe(3);
    expect(ids(soon!)).toEqual(['x1', 'x2', 'x4', 'x3', 'x5']);
    expect(ids(late!)).toEqual(['x1', 'x2', 'x3', 'x4', 'x5']);
    // The source is held beside the pebbles.
    expect(late!.peakBytes).toBe(4 * graph.bytes[0]!);
  });

  it('takes memory proportional to the chain as soon as possible, 3 units as late as possible', () => {
    const graph = buildModel('fed-chain', { batch: 1 });
    expect(played(graph, 'asap').mostPebbles).toBe(14);
    expect(played(graph, 'alap').mostPebbles).toBe(3);
    expect(played(graph, 'liu').mostPebbles).toBe(3);
  });
});

describe('playPebbles', () => {
  const { graph, memory } = bytesProblem([0, 2, 3, 5, 7], '0>1 0>2 1>3 2>3 3>4');

  it('places before it takes away', () => {
    const play = playPebbles(graph, memory, [2, 1, 3, 4]);
    expect([...play.live]).toEqual([3, 5, 10, 12]);
    expect([...play.pebbles]).toEqual([1, 2, 3, 2]);
    expect(play).toMatchObject({ peakBytes: 12, peakMove: 3, mostPebbles: 3 });
  });

  it('refuses an invalid order', () => {
    expect(() => playPebbles(graph, memory, [3, 1, 2, 4])).toThrow('v3 gets its pebble before v1');
    expect(() => playPebbles(graph, memory, [1, 2, 3])).toThrow('the order misses a vertex');
    expect(() => playPebbles(graph, memory, [1, 2, 2, 4])).toThrow('the order misses a vertex');
    expect(() => playPebbles(graph, memory, [0, 1, 2, 3])).toThrow('the order has v0 at a wrong place');
  });

  it('holds no more than the forward of training does, and every order can be played', () => {
    for (const [name, problem] of randomProblems(400, 71, 16)) {
      const { graph: network, memory: model } = problem;
      const training = solveRow(problem, 'regular', { seed: 0 }).peakBytes ?? 0;
      for (const order of PEBBLE_ORDERS) {
        const vertices = orderOf(network, model, order);
        if (typeof vertices === 'string') continue;
        const play = playPebbles(network, model, vertices);
        if (order === 'given') expect(play.peakBytes, name).toBeLessThanOrEqual(training);
        expect(play.peakBytes).toBeGreaterThanOrEqual(model.outputBytes[0]!);
      }
    }
  });

  it('never beats the exhaustive search over lower sets', () => {
    for (const [name, problem] of randomProblems(150, 72, 10)) {
      if (problem.graph.operations.some(({ kind }) => kind !== 'opaque')) continue;
      const least = leastPebbleBytes(problem.graph);
      for (const order of ['given', 'asap', 'alap'] as const) {
        expect(played(problem.graph, order).peakBytes, name).toBeGreaterThanOrEqual(least);
      }
      expect(leastPebbleBytes(problem.graph, true), name).toBeLessThanOrEqual(least);
    }
  });
});

describe('recomputeOrder', () => {
  const again = (graph: Graph) => recomputeOrder(graph, memoryModel(graph, 'pytorch'));

  it('002: forgets the first node after the middle one and computes it again for the last', () => {
    // 1 > 2 > 3, 4 reads 3 and 2, 5 reads 4 and 1: skips in each other.
    const { graph } = bytesProblem([0, 1, 1, 1, 1, 1], '0>1 1>2 2>3 3>4 2>4 4>5 1>5');
    expect(played(graph, 'alap').mostPebbles).toBe(4);
    expect([...again(graph)]).toEqual([1, 2, 3, 4, 1, 5]);
    expect(played(graph, 'recompute').mostPebbles).toBe(3);
  });

  it('has the least peak of all games, by an exhaustive search of another kind, and no move more than it needs', () => {
    let lower = 0;
    for (const [name, problem] of randomProblems(150, 74, 9)) {
      const { graph } = problem;
      const order = again(graph);
      if (typeof order === 'string') continue;
      const { peakBytes } = playPebbles(graph, problem.memory, order);
      if (graph.operations.every(({ kind }) => kind === 'opaque'))
        expect(peakBytes, name).toBe(leastPebbleBytes(graph, true));
      const once = Math.min(
        ...(['given', 'asap', 'alap'] as const).map((one) => played(graph, one).peakBytes),
      );
      expect(peakBytes).toBeLessThanOrEqual(once);
      if (peakBytes < once) lower += 1;
      expect(order.length).toBeGreaterThanOrEqual(graph.size - 1);
    }
    expect(lower).toBeGreaterThanOrEqual(fewest(1));
  });

  it('names unsupported graphs', () => {
    expect(again(buildModel('resnet18', { batch: 1 }))).toMatch(/69 operations, and at most 18 are searched/);
    const { graph } = createProblem(buildModel('tiny-dropout', { batch: 1 }), 'pytorch');
    expect(again(graph)).toMatch(/work in place or are views/);
  });
});

describe('liuOrder', () => {
  it('finds the least peak of every small tree, and no pebble placed again helps', () => {
    const rng = createRng(87);
    for (let run = 0; run < 600; run++) {
      const tree = randomTree(rng, between(rng, 2, 12));
      expect(played(tree, 'liu').peakBytes, `run ${run}`).toBe(leastPebbleBytes(tree));
    }
    for (let run = 0; run < 40; run++) {
      const tree = randomTree(rng, between(rng, 2, 8));
      expect(played(tree, 'liu').peakBytes, `again ${run}`).toBe(leastPebbleBytes(tree, true));
    }
  });

  it('interleaves subtrees if finishing each in turn takes more', () => {
    // Two chains that go from 9 down to 1 and end at 5: both wait at 1 before either ends.
    const tree = bytesProblem([0, 9, 1, 5, 9, 1, 5, 1], '0>1 1>2 2>3 0>4 4>5 5>6 3>7 6>7').graph;
    const inTurn = playPebbles(tree, memoryModel(tree, 'pytorch'), [1, 2, 3, 4, 5, 6, 7]).peakBytes;
    expect([inTurn, played(tree, 'liu').peakBytes]).toEqual([15, 11]);
    expect(played(tree, 'liu').peakBytes).toBe(leastPebbleBytes(tree));
  });

  it('says why a graph is not a tree', () => {
    const graph = buildModel('resnet18', { batch: 1 });
    expect(liuOrder(graph, memoryModel(graph, 'pytorch'))).toMatch(
      /^the network is not a tree: \S+ feeds 2 oper/,
    );
  });

  it('handles a chain of 10,000 and a star of 10,000', () => {
    expect(played(bytesChain(Array(10_000).fill(1)), 'liu').mostPebbles).toBe(2);
    const leaves = Array.from({ length: 10_000 }, (_, i) => i + 1);
    const edges = leaves.flatMap((v): [number, number][] => [
      [0, v],
      [v, 10_001],
    ]);
    const star = bytesGraph({ n: 10_002, edges, cost: Array(10_002).fill(1) });
    expect(played(star, 'liu').mostPebbles).toBe(10_001);
  });

  it('follows storage: in-place operations and views take no pebble’s bytes of their own', () => {
    for (const name of ['vgg11', 'alexnet', 'tiny-dropout']) {
      const graph = buildModel(name, { batch: 1 });
      const { memory } = createProblem(graph, 'pytorch');
      // A chain has one order.
      expect(played(graph, 'liu').live, name).toEqual(played(graph, 'given').live);
      const sizes = [...graph.bytes.keys()].map((v) => {
        const [u = 0] = predecessorsOf(graph, v);
        const isOwn = (memory.takesOver[v] ?? -1) < 0 && (memory.viewOf[v] ?? -1) < 0;
        return graph.bytes[v]! + (isOwn && u > 0 ? graph.bytes[u]! : 0);
      });
      expect(played(graph, 'given').peakBytes, name).toBe(graph.bytes[0]! + Math.max(...sizes.slice(1)));
    }
  });
});
