import { describe, expect, it } from 'vitest';
import { createProblem } from '../../../engine/problem.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
import { dtr } from '../../../engine/strategies/dtr/dtr.ts';
import { EvictedCosts } from '../../../engine/strategies/dtr/evicted-costs.ts';
import { LeastScored } from '../../../engine/strategies/dtr/least-scored.ts';
import { regularFigures } from '../../../engine/strategies/regular.ts';
import type { Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { workChain } from '../../support/live-models.ts';
import { bytesGraph } from '../../support/problems.ts';
import { randomStGraph } from '../../support/random-graphs.ts';
import { between, createRng } from '../../support/rng.ts';
import { recomputed } from '../../support/schedule-text.ts';
import { planOf } from '../../support/plans.ts';

const planned = (problem: Problem, budgetBytes?: number) => planOf(dtr, problem, { budgetBytes });

describe('dtr', () => {
  it('evicts what is cheap, large and long unused', () => {
    const budgetOf = (problem: Problem, less: number): number => regularFigures(problem).peakBytes - less;
    // All alike: the one that was used longest ago.
    const alike = workChain([1, 8, 8, 8, 8, 8, 8], [0, 5, 5, 5, 5, 5, 5]);
    expect(recomputed(planned(alike, budgetOf(alike, 8)).schedule)).toEqual([1]);
    // v1 is dear.
    const dear = workChain([1, 8, 8, 8, 8, 8, 8], [0, 500, 5, 5, 5, 5, 5]);
    expect(recomputed(planned(dear, budgetOf(dear, 8)).schedule)).not.toContain(1);
    // v3 is so large that one eviction does.
    const large = workChain([1, 8, 8, 24, 8, 8, 8, 8, 8, 8, 8], [0, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5]);
    expect(recomputed(planned(large, budgetOf(large, 20)).schedule)).toEqual([3]);
  });

  it('recomputes missing inputs of missing tensors', () => {
    const problem = workChain(new Array<number>(12).fill(8), new Array<number>(12).fill(5));
    const plan = planned(problem, Math.floor(0.5 * regularFigures(problem).peakBytes));
    const times = recomputed(plan.schedule);
    expect(times.length).toBeGreaterThan(new Set(times).size - 1);
    expect(times.length).toBeGreaterThan(3);
  });
});

it('dtr above 3,000 storages keeps to the budget with about the recompute that is necessary', () => {
  const graph = randomStGraph(createRng(1), { vertices: 6000, kind: 'mixed', maxCost: 1_000_000 });
  const problem = createProblem(bytesGraph(graph), 'pytorch');
  for (const share of [0.7, 0.3]) {
    const budget = Math.ceil(share * regularFigures(problem).peakBytes);
    const { peakBytes, recomputeFraction } = simulate(
      problem.graph,
      problem.memory,
      planned(problem, budget).schedule,
    );
    expect(peakBytes).toBeLessThanOrEqual(budget);
    // Its work is its bytes, so that what is not stored is recomputed once at least.
    expect(recomputeFraction).toBeGreaterThan(0.99 * (1 - share));
    expect(recomputeFraction).toBeLessThan(1.06 * (1 - share));
  }
});

describe('the least of changing scores', () => {
  const KEYS = 7000;

  it('is exact as long as scores do not fall, and is none where nothing can be evicted', () => {
    const rng = createRng(3);
    const scores = Array.from({ length: KEYS }, () => rng.next());
    const least = new LeastScored(KEYS, (key) => scores[key]!);
    for (let round = 0; round < 400; round++) {
      const found = least.take();
      expect(scores[found]).toBe(Math.min(...scores));
      scores[found] = Number.POSITIVE_INFINITY;
      const [raised, back] = [rng.below(KEYS), rng.below(KEYS)];
      scores[raised]! += rng.next();
      if (scores[back] === Number.POSITIVE_INFINITY) {
        scores[back] = rng.next();
        least.offer(back);
      }
    }
    scores.fill(Number.POSITIVE_INFINITY);
    expect(least.take()).toBe(-1);
  });

  it('notices scores that fell within a 64th of the keys', () => {
    const scores = Array.from({ length: KEYS }, (_, key) => key + 1);
    const least = new LeastScored(KEYS, (key) => scores[key]!);
    expect(least.take()).toBe(0);
    scores[KEYS - 1] = 0;
    const taken: number[] = [];
    while (taken.at(-1) !== KEYS - 1) {
      taken.push(least.take());
      scores[taken.at(-1)!] = Number.POSITIVE_INFINITY;
    }
    expect(taken.length).toBeLessThanOrEqual(Math.ceil(KEYS / 64) + 1);
  });
});

/** Neighbours of items: each edge as an input of the one and an output of the other. */
function nearOf(items: number, edges: readonly (readonly [number, number])[]) {
  const own = edges.filter(([from, to]) => from !== to);
  const listed = (ends: (item: number) => number[]): [Int32Array, Int32Array] => {
    const lists = Array.from({ length: items }, (_, item) => ends(item));
    const offsets = lists.map((_, i) => lists.slice(0, i).flat().length);
    return [Int32Array.from(lists.flat()), Int32Array.from([...offsets, lists.flat().length])];
  };
  const [outs, outOffsets] = listed((item) => own.flatMap(([from, to]) => (from === item ? [to] : [])));
  const [ins, inOffsets] = listed((item) => own.flatMap(([from, to]) => (to === item ? [from] : [])));
  return { items, ins, inOffsets, outs, outOffsets };
}

describe('the extra cost of restoring a tensor', () => {
  it('is the cost of its connected evicted tensors, until one is restored', () => {
    const rng = createRng(7);
    for (let round = 0; round < 300; round++) {
      const size = between(rng, 2, 14);
      const edges = Array.from(
        { length: between(rng, 1, 20) },
        () => [rng.below(size), rng.below(size)] as const,
      );
      const next = (item: number): number[] =>
        edges
          .flatMap(([a, b]) => (a === item ? [b] : b === item ? [a] : []))
          .filter((other) => other !== item);
      const cost = Array.from({ length: size }, () => between(rng, 1, 9));
      const costs = new EvictedCosts(nearOf(size, edges));
      const gone = new Set<number>();
      for (let i = 0; i < size; i++) {
        const item = rng.below(size);
        if (gone.has(item)) continue;
        costs.evict(item, cost[item]!);
        gone.add(item);
      }
      for (let item = 0; item < size; item++) {
        if (gone.has(item)) continue;
        const reached = new Set(next(item).filter((other) => gone.has(other)));
        for (const one of reached) for (const other of next(one)) if (gone.has(other)) reached.add(other);
        const sum = [...reached].reduce((total, one) => total + cost[one]!, 0);
        expect(costs.around(item)).toBe(sum);
      }
    }
  });

  it('shrinks with restored tensors, and never falls below zero', () => {
    const costs = new EvictedCosts(
      nearOf(4, [
        [0, 1],
        [1, 2],
        [2, 3],
      ]),
    );
    costs.evict(1, 5);
    costs.evict(2, 7);
    expect(costs.around(0)).toBe(12);
    costs.bringBack(2, 7);
    expect(costs.around(0)).toBe(5);
    costs.bringBack(2, 7);
    expect(costs.around(0)).toBe(5);
    costs.bringBack(1, 9);
    expect(costs.around(0)).toBe(0);
  });
});
