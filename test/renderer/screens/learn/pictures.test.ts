import { describe, expect, it } from 'vitest';
import { faultOfDecomposition } from '../../../../engine/decomposition/tree-decomposition.ts';
import { predecessorsOf } from '../../../../engine/graph/graph.ts';
import {
  DECOMPOSED,
  decomposed,
  edgesOf,
  partsWithout,
} from '../../../../renderer/screens/learn/model/decompositions.ts';
import { ORDER_GAMES, orderGame, orderPlay } from '../../../../renderer/screens/learn/model/order-games.ts';
import { bagSentence } from '../../../../renderer/screens/learn/parts/BagsPicture.tsx';
import { waitingMoves } from '../../../../renderer/screens/learn/parts/LifetimesPicture.tsx';

describe('the bags of small networks', () => {
  it('are a tree decomposition of each, by an independent check, with widths as article 002 gives them', () => {
    for (const name of DECOMPOSED) {
      const { tensors, bags, places, largestBag } = decomposed(name);
      const parent = Int32Array.from(bags, (bag) => bag.parent);
      const fault = faultOfDecomposition(tensors.size, edgesOf(tensors), {
        bags: bags.map(({ vertices }) => vertices),
        parent,
      });
      expect(fault, name).toBeNull();
      expect(places).toHaveLength(tensors.size);
      expect(largestBag).toBe(Math.max(...bags.map(({ vertices }) => vertices.length)));
    }
    // "Feed-forward network, treewidth=2; Resnet, treewidth=3; two towers 2k": sizes of bags, and one less here for chains.
    expect(decomposed('chain').largestBag).toBe(2);
    expect(decomposed('residual').largestBag).toBe(3);
    expect(decomposed('towers').largestBag).toBe(4);
    for (const name of DECOMPOSED) expect(decomposed(name).isExact, name).toBe(true);
  });

  it('do not overlap, with children to the right of their parent', () => {
    for (const name of DECOMPOSED) {
      const { bags } = decomposed(name);
      const places = bags.map(({ place }) => `${place.column} ${place.lane}`);
      expect(new Set(places).size, name).toBe(bags.length);
      for (const { place, parent } of bags) {
        if (parent >= 0) expect(place.column).toBe(bags[parent]!.place.column + 1);
        else expect(place.column).toBe(0);
      }
    }
  });

  it('separate the network where two bags meet, and the sentence names the parts', () => {
    for (const name of DECOMPOSED) {
      const of = decomposed(name);
      const edges = edgesOf(of.tensors);
      of.bags.forEach(({ vertices }, i) => {
        const parts = partsWithout(of.tensors, vertices);
        const left = parts.flat();
        expect([...left, ...vertices].sort((a, b) => a - b)).toEqual(of.names.map((_, v) => v));
        // No edge joins two parts.
        for (const [from, to] of edges) {
          const [a, b] = [from, to].map((v) => parts.findIndex((part) => part.includes(v)));
          if (a! >= 0 && b! >= 0) expect(a).toBe(b);
        }
        expect(bagSentence(of, i)).toMatch(/\.$/);
        const neighbours = of.bags.filter(
          (other, j) => other.parent === i || of.bags[i]!.parent === j,
        ).length;
        if (neighbours >= 2) expect(parts.length).toBeGreaterThan(1);
      });
    }
  });

  it('two towers are cut by no single tensor', () => {
    const { tensors } = decomposed('towers');
    for (let v = 1; v < tensors.size - 1; v++) expect(partsWithout(tensors, [v])).toHaveLength(1);
    expect(partsWithout(tensors, [1, 2])).toHaveLength(2);
    expect(partsWithout(tensors, [3, 4])).toHaveLength(2);
  });
});

describe('lifetimes', () => {
  it('002: as late as possible nothing waits longer, and on the fed chain no leaf waits at all', () => {
    for (const name of ORDER_GAMES) {
      const game = orderGame(name, 8);
      const [asap, alap] = (['asap', 'alap'] as const).map((order) => {
        const play = orderPlay(name, 8, order);
        if (typeof play === 'string') throw new Error(play);
        return waitingMoves(play, game).reduce((a, b) => a + b, 0);
      });
      expect(alap!, name).toBeLessThanOrEqual(asap!);
    }
    const play = orderPlay('fed', 8, 'alap');
    if (typeof play === 'string') throw new Error(play);
    const { graph } = orderGame('fed', 8).problem;
    const waits = waitingMoves(play, orderGame('fed', 8));
    play.order.forEach((v, i) => {
      const reads = [...predecessorsOf(graph, v)].filter((u) => u > 0);
      if (reads.length === 0 && i > 0) expect(waits[i]).toBe(0);
    });
  });

  it('add up to the pebbles on the board', () => {
    for (const name of ORDER_GAMES) {
      for (const order of ['asap', 'alap'] as const) {
        const play = orderPlay(name, 8, order);
        if (typeof play === 'string') continue;
        const { graph } = orderGame(name, 8).problem;
        play.live.forEach((bytes, move) => {
          let there = 0;
          play.order.forEach((v, i) => {
            if (i <= move && play.until[i]! >= move) there += graph.bytes[v]!;
          });
          expect(there).toBe(bytes);
        });
      }
    }
  });
});
