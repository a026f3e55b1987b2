import { describe, expect, it } from 'vitest';
import { faultOfDecomposition, treeDecomposition } from '../../../engine/decomposition/tree-decomposition.ts';
import { treewidthBound } from '../../../engine/decomposition/width-bound.ts';
import { tensorView } from '../../../engine/graph/tensor-view.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { GRAPH_KINDS, randomStGraph } from '../../support/random-graphs.ts';
import { between, createRng, pick } from '../../support/rng.ts';

type Edge = [number, number];

const chain = (length: number): Edge[] => Array.from({ length: length - 1 }, (_, i) => [i, i + 1]);

function largestBag(size: number, edges: Edge[]): number {
  const decomposition = treeDecomposition(size, edges);
  expect(faultOfDecomposition(size, edges, decomposition)).toBeNull();
  return decomposition.largestBag;
}

/** Least width over all orders of elimination, by trying them all on sets of what is left. */
function treewidth(size: number, edges: Edge[]): number {
  const best = new Map<number, number>([[0, 0]]);
  const reach = (v: number, gone: number): number => {
    let seen = 1 << v;
    const queue = [v];
    let found = 0;
    for (const u of queue) {
      for (const [a, b] of edges) {
        const w = a === u ? b : b === u ? a : u;
        if ((seen >> w) & 1) continue;
        seen |= 1 << w;
        if ((gone >> w) & 1) queue.push(w);
        else found++;
      }
    }
    return found;
  };
  for (let gone = 1; gone < 1 << size; gone++) {
    let least = Number.POSITIVE_INFINITY;
    for (let v = 0; v < size; v++) {
      if (!((gone >> v) & 1)) continue;
      const before = gone & ~(1 << v);
      least = Math.min(least, Math.max(best.get(before)!, reach(v, before)));
    }
    best.set(gone, least);
  }
  return best.get((1 << size) - 1)!;
}

describe("article 002's table, by its own count: the largest bag", () => {
  it('feed-forward network: 2', () => {
    expect(largestBag(30, chain(30))).toBe(2);
  });

  it('residual network: 3', () => {
    const skips = Array.from({ length: 10 }, (_, i): Edge => [3 * i, 3 * i + 3]);
    expect(largestBag(31, [...chain(31), ...skips])).toBe(3);
  });

  it('multi-tower with k towers: at most 2k; min-fill finds 3, towers being parallel branches', () => {
    for (const towers of [2, 3, 5]) {
      const length = 6;
      const edges: Edge[] = [];
      for (let t = 0; t < towers; t++) {
        const at = (i: number): number => 2 + t * length + i;
        edges.push([0, at(0)], [at(length - 1), 1]);
        for (let i = 0; i + 1 < length; i++) edges.push([at(i), at(i + 1)]);
      }
      const found = largestBag(2 + towers * length, edges);
      expect(found).toBeLessThanOrEqual(2 * towers);
      expect(found).toBe(3);
    }
  });

  it('feed-forward with k global statistics: 2 + k', () => {
    for (const statistics of [1, 2, 4]) {
      const length = 40;
      const edges = chain(length);
      for (let s = 0; s < statistics; s++) for (let v = 0; v < length; v++) edges.push([v, length + s]);
      expect(largestBag(length + statistics, edges)).toBe(2 + statistics);
    }
  });

  it('feed-forward with skips back k steps: k, plus the vertex itself', () => {
    for (const k of [2, 3, 4]) {
      const skips = Array.from({ length: 40 - k }, (_, i): Edge => [i, i + k]);
      expect(largestBag(40, [...chain(40), ...skips])).toBe(k + 1);
    }
  });
});

describe('treeDecomposition', () => {
  it('is valid on random graphs, with no bag inside its neighbour', () => {
    const rng = createRng(4);
    for (let run = 0; run < 600; run++) {
      const { n, edges } = randomStGraph(rng, {
        vertices: between(rng, 2, 40),
        kind: pick(rng, GRAPH_KINDS),
      });
      const found = treeDecomposition(n, edges);
      expect(faultOfDecomposition(n, edges, found), `run ${run}`).toBeNull();
      for (const [i, bag] of found.bags.entries()) {
        const up = found.bags[found.parent[i] ?? -1];
        if (up === undefined) continue;
        expect(
          bag.every((v) => up.includes(v)),
          `run ${run}`,
        ).toBe(false);
        expect(
          up.every((v) => bag.includes(v)),
          `run ${run}`,
        ).toBe(false);
      }
      expect(found.parent.filter((up) => up === -1)).toHaveLength(1);
    }
  });

  it('is never below the treewidth, and rarely above it on small graphs', () => {
    const rng = createRng(5);
    let exact = 0;
    for (let run = 0; run < 150; run++) {
      const { n, edges } = randomStGraph(rng, { vertices: between(rng, 2, 9), kind: pick(rng, GRAPH_KINDS) });
      const { width } = treeDecomposition(n, edges);
      const least = treewidth(n, edges);
      expect(width).toBeGreaterThanOrEqual(least);
      expect(treewidthBound(n, edges)).toBeLessThanOrEqual(least);
      if (width === least) exact++;
    }
    expect(exact).toBeGreaterThan(140);
  });

  it('gives real networks their expected widths', () => {
    const largest = (model: string): number => {
      const { tensors } = tensorView(buildModel(model, { batch: 1 }));
      return largestBag(
        tensors.size,
        Array.from(tensors.edgeFrom, (from, e): Edge => [from, tensors.edgeTo[e]!]),
      );
    };
    expect(largest('vgg16')).toBe(2);
    expect(largest('resnet50')).toBe(3);
    expect(largest('densenet121')).toBe(3);
    expect(largest('inceptionv3')).toBe(3);
    expect(largest('nasnet')).toBeLessThanOrEqual(8);
  });

  it('finds the errors of an invalid decomposition', () => {
    const edges = chain(3);
    const fault = (bags: readonly (readonly number[])[], parent = [1, -1]): string | null =>
      faultOfDecomposition(3, edges, { bags, parent: Int32Array.from(parent) });
    expect(fault(edges)).toBeNull();
    expect(fault([[0, 1], [2]])).toBe('no bag holds the edge from 1 to 2');
    expect(fault(edges, [-1, 0])).toBe('bag 1 hangs on 0, which does not come after it');
    expect(fault(edges, [-1, -1])).toBe('the bags of vertex 1 are not connected');
    expect(faultOfDecomposition(2, [], { bags: [[0]], parent: Int32Array.of(-1) })).toBe(
      'no bag holds vertex 1',
    );
  });

  it('handles a vertex connected to all others', () => {
    const edges = chain(3000);
    for (let v = 0; v < 3000; v++) edges.push([v, 3000]);
    expect(treeDecomposition(3001, edges).largestBag).toBe(3);
  });
});
