import { describe, expect, it } from 'vitest';
import { predecessorsOf } from '../../../../engine/graph/graph.ts';
import { oneLevelSchedule } from '../../../../engine/schedule/one-level.ts';
import { simulate } from '../../../../engine/simulate/simulate.ts';
import {
  cutAtLowerSets,
  FEW_LOWER_SETS,
  fewLowerSets,
  type LowerSet,
} from '../../../../engine/strategies/search/lower-sets.ts';
import { givenOrder } from '../../../../engine/strategies/search/orders.ts';
import { needsOf } from '../../../../engine/ops/memory-model.ts';
import type { Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { workChain } from '../../../support/live-models.ts';
import { CountedSearch, ended, unlimited } from '../../../support/search-limits.ts';
import { measuredGraph, measuredProblem } from '../../../support/measured-graphs.ts';
import { bytesProblem } from '../../../support/problems.ts';
import { between, createRng } from '../../../support/rng.ts';

describe('few lower sets', () => {
  it('are all of them by size, with what they hold', () => {
    //  v0 > v1, v0 > v2, both > v3
    const problem = bytesProblem([1, 2, 4, 8], '0>1 0>2 1>3 2>3');
    const sets = fewLowerSets(problem)!;
    expect(sets.map(({ has }) => [...has].join(''))).toEqual(['1000', '1100', '1010', '1110', '1111']);
    expect(sets.map(({ size }) => size)).toEqual([1, 2, 2, 3, 4]);
    expect(sets.map(({ words }) => words[0])).toEqual([1, 3, 5, 7, 15]);
    expect(sets.map(({ bytes }) => bytes)).toEqual([0, 2, 4, 6, 14]);
    expect(sets.map(({ gradients }) => gradients)).toEqual([0, 2, 4, 6, 0]);
  });

  it('counts no bytes that no backward needs', () => {
    const keeps = { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 0 };
    const problem = measuredProblem([
      { bytes: 1, flops: 0, inputs: [] },
      { bytes: 4, flops: 0, inputs: [0], keeps },
      { bytes: 4, flops: 0, inputs: [1], keeps },
    ]);
    expect(fewLowerSets(problem)!.map(({ bytes }) => bytes)).toEqual([0, 0, 0]);
  });

  it('are not few beyond 600, and none where storages are shared', () => {
    expect(FEW_LOWER_SETS).toBe(600);
    const chainOf = (size: number) => workChain(new Array<number>(size).fill(1), []);
    expect(fewLowerSets(chainOf(600))).toHaveLength(600);
    expect(fewLowerSets(chainOf(601))).toBeNull();
    // Nine vertices side by side: 512 of them, the source's and the target's besides; ten: 1,024.
    const side = (wide: number) =>
      bytesProblem(
        new Array<number>(wide + 2).fill(1),
        Array.from({ length: wide }, (_, i) => `0>${i + 1} ${i + 1}>${wide + 1}`).join(' '),
      );
    expect(fewLowerSets(side(9))).toHaveLength(513);
    expect(fewLowerSets(side(10))).toBeNull();
    const keeps = { inputs: [], output: true, auxBytes: 0, fixedAuxBytes: 0 };
    for (const alias of ['view', 'inplace'] as const)
      expect(
        fewLowerSets(
          measuredProblem([
            { bytes: 1, flops: 0, inputs: [] },
            { bytes: 4, flops: 0, inputs: [0], keeps: { ...keeps, output: false } },
            { bytes: 4, flops: 0, inputs: [1], keeps, alias },
          ]),
        ),
      ).toBeNull();
  });
});

/** All sequences of growing lower sets, from the source alone to everything. */
function* growing(sets: readonly LowerSet[], from: readonly number[] = [0]): Generator<readonly number[]> {
  const last = from.at(-1)!;
  if (last === sets.length - 1) yield from;
  for (let to = last + 1; to < sets.length; to++) {
    const inside = sets[last]!.has.every((has, v) => has === 0 || sets[to]!.has[v] === 1);
    if (inside) yield* growing(sets, [...from, to]);
  }
}

/** The simulator's peak where every segment but the last is recomputed at once and all that crosses a cut is kept. */
function segmentsPeak({ graph, memory }: Problem, segments: readonly (readonly number[])[]): number {
  const home = (v: number): number => segments.findIndex((segment) => segment.includes(v));
  const kept = new Uint8Array(graph.size);
  for (let v = 1; v < graph.size; v++)
    for (let w = 1; w < graph.size; w++) {
      const uses = predecessorsOf(graph, w).includes(v) || needsOf(memory, w).includes(v);
      if (uses && home(w) > home(v)) kept[v] = 1;
    }
  return simulate(graph, memory, oneLevelSchedule(graph, memory, { segments, kept, recomputeLast: false }))
    .peakBytes;
}

describe('cutAtLowerSets', () => {
  it('has the least peak of all sequences of lower sets', () => {
    const rng = createRng(146);
    let several = 0;
    for (let i = 0; i < 220; i++) {
      const problem = measuredProblem(measuredGraph(rng, { vertices: between(rng, 3, 6) }));
      const { graph, memory } = problem;
      const sets = fewLowerSets(problem);
      if (sets === null || memory.auxIsFixed.some((fixed, v) => fixed === 1 && memory.auxBytes[v]! > 0))
        continue;
      // A target that no backward needs is reckoned as if one did.
      if (!memory.needs.includes(graph.size - 1)) continue;
      const peaks = [...growing(sets)].map((sequence) =>
        segmentsPeak(
          problem,
          sequence
            .slice(1)
            .map((to, s) =>
              [...givenOrder(graph)].filter((v) => sets[to]!.has[v]! > sets[sequence[s]!]!.has[v]!),
            ),
        ),
      );
      const least = Math.min(...peaks);
      const search = new CountedSearch();
      expect(cutAtLowerSets(problem, sets, givenOrder(graph), 1e6, search)!.peak).toBe(least);
      expect(cutAtLowerSets(problem, sets, givenOrder(graph), least, unlimited())!.peak).toBe(least);
      expect(cutAtLowerSets(problem, sets, givenOrder(graph), least - 1, unlimited())).toBeNull();
      // Every pair once, a replay for each that is one inside the other, then the limits by halves.
      const pairs = (sets.length * (sets.length - 1)) / 2;
      const nested = sets.flatMap((inner, from) =>
        sets.slice(from + 1).filter(({ has }) => inner.has.every((one, v) => one === 0 || has[v] === 1)),
      ).length;
      const rest = search.looks - pairs - nested * 10 * graph.size;
      expect(rest % nested).toBe(0);
      expect(rest / nested).toBeGreaterThan(15);
      expect(rest / nested).toBeLessThanOrEqual(Math.ceil(Math.log2(1e6)));
      if (peaks.length > 5) several++;
    }
    expect(several).toBeGreaterThan(40);
  });

  it('gives an order and cuts in it with the peak that it says', () => {
    const rng = createRng(144);
    let cut = 0;
    for (let i = 0; i < 150; i++) {
      const problem = measuredProblem(measuredGraph(rng, { vertices: between(rng, 3, 9) }));
      const { graph, memory } = problem;
      const sets = fewLowerSets(problem);
      // Auxiliaries that do not grow stay from the first forward.
      if (sets === null || memory.auxIsFixed.some((fixed, v) => fixed === 1 && memory.auxBytes[v]! > 0))
        continue;
      const order = givenOrder(graph);
      const found = cutAtLowerSets(problem, sets, order, 1e6, unlimited())!;
      expect([...found.order].toSorted((a, b) => a - b)).toEqual([...order]);
      const place = [...found.order].map((_, v) => found.order.indexOf(v));
      for (let v = 1; v < graph.size; v++)
        for (const u of predecessorsOf(graph, v)) expect(place[u]!).toBeLessThan(place[v]!);
      expect(found.cuts).toEqual([...found.cuts].toSorted((a, b) => a - b));
      if (found.cuts.length > 0) cut++;
      const ends = [...found.cuts, graph.size - 1];
      const segments = ends.map((end, s) => [...found.order.slice((ends[s - 1] ?? 0) + 1, end + 1)]);
      const simulated = segmentsPeak(problem, segments);
      if (memory.needs.includes(graph.size - 1)) expect(simulated).toBe(found.peak);
      else expect(simulated).toBeLessThanOrEqual(found.peak);
      // A ceiling just met is met again, one below is not.
      expect(cutAtLowerSets(problem, sets, order, found.peak, unlimited())?.peak).toBe(found.peak);
      expect(cutAtLowerSets(problem, sets, order, found.peak - 1, unlimited())).toBeNull();
    }
    expect(cut).toBeGreaterThan(15);
  });

  it('has nothing where the search may not go on', () => {
    const problem = bytesProblem([1, 2, 4, 8], '0>1 0>2 1>3 2>3');
    const search = ended();
    expect(
      cutAtLowerSets(problem, fewLowerSets(problem)!, givenOrder(problem.graph), 1e6, search),
    ).toBeNull();
    expect(search.ending.stopped?.unfinished).toEqual([{ what: 'lower-sets', tried: 0, of: 5 }]);
  });
});
