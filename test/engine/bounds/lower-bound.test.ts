import { describe, expect, it } from 'vitest';
import { lowerBound } from '../../../engine/bounds/lower-bound.ts';
import { predecessorsOf } from '../../../engine/graph/graph.ts';
import { needsOf } from '../../../engine/ops/memory-model.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
import { ExhaustiveSchedules } from '../../../engine/bounds/exhaustive-schedules.ts';
import { createProblem } from '../../../engine/problem.ts';
import type { Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { fewest } from '../../support/draws.ts';
import { type MeasuredVertex, measuredProblem, measuredProblems } from '../../support/measured-graphs.ts';
import { bytesGraph, bytesProblem, randomProblems } from '../../support/problems.ts';
import { randomSchedule } from '../../support/random-schedules.ts';
import { leastOverAllSets } from '../../support/gradient-sets.ts';
import { createRng } from '../../support/rng.ts';

/** The sums of the proof in lower-bound.ts, for every vertex and without a short cut. */
function largestSum({ graph, memory }: Problem): number {
  /** A name of the storage that a value ends up in: the vertex that allocated it. */
  const storageOf = (v: number): number => {
    const from = [memory.takesOver[v]!, memory.viewOf[v]!].find((u) => u >= 0);
    return from === undefined ? v : storageOf(from);
  };
  const stored = (values: readonly number[]): number =>
    [...new Set([0, ...values].map(storageOf))].reduce((sum, v) => sum + memory.outputBytes[v]!, 0);
  let largest = 0;
  for (let v = 1; v < graph.size; v++) {
    const inputs = [...new Set(predecessorsOf(graph, v))];
    const forward = stored([...inputs, v]) + memory.auxBytes[v]!;
    const gradients = [
      v,
      ...inputs.filter((u) => memory.viewOf[v] !== u || graph.bytes[u] !== graph.bytes[v]),
    ];
    const backward =
      stored([...needsOf(memory, v)]) +
      memory.auxBytes[v]! +
      gradients.reduce((sum, u) => sum + memory.gradientBytes[u]!, 0) +
      leastOverAllSets(graph, memory.gradientBytes, v);
    largest = Math.max(largest, forward, backward);
  }
  return largest;
}

describe('lowerBound', () => {
  it('is the largest sum of its proof, even with shortcuts', () => {
    for (const [name, problem] of [...measuredProblems(400, 67), ...randomProblems(400, 68, 8)])
      if (problem.graph.size <= 10) expect(lowerBound(problem).bytes, name).toBe(largestSum(problem));
  });

  it('names the first step with the highest need, and none for a graph without bytes', () => {
    expect(lowerBound(bytesProblem([1, 4, 4, 4, 4], '0>1 1>2 2>3 3>4'))).toEqual({
      bytes: 1 + 4 * 4,
      step: 'backward',
      vertex: 2,
      around: false,
    });
    expect(lowerBound(bytesProblem([0, 0, 0], '0>1 1>2'))).toEqual({
      bytes: 0,
      step: 'forward',
      vertex: 0,
      around: false,
    });
    const skip = bytesProblem([1, 7, 10, 10, 1, 1], '0>1 1>2 2>3 3>4 4>5 1>4');
    expect(lowerBound(skip)).toEqual({ bytes: 1 + 2 * 20 + 7, step: 'backward', vertex: 3, around: true });
  });

  it('is the working set of one backward on a chain', () => {
    // Backward v2: source 1, v1 and v2, and both their gradients.
    expect(lowerBound(bytesProblem([1, 20, 30, 2], '0>1 1>2 2>3'))).toEqual({
      bytes: 1 + 2 * (20 + 30),
      step: 'backward',
      vertex: 2,
      around: false,
    });
  });

  it('adds the gradient of a skip connection', () => {
    //  v0 > v1 > v2 > v3 > v4 > v5, and v1 > v4 over v2 and v3
    const skip = bytesProblem([1, 7, 10, 10, 1, 1], '0>1 1>2 2>3 3>4 4>5 1>4');
    expect(lowerBound(skip).bytes).toBe(1 + 2 * (10 + 10) + 7);
    expect(lowerBound(skip).around).toBe(true);
  });

  it('takes the cheapest cut of a bypass', () => {
    // The way around goes over v2 (3 bytes) from v1 (7 bytes).
    const around = bytesProblem([1, 7, 3, 10, 10, 1, 1], '0>1 1>2 2>5 1>3 3>4 4>5 5>6');
    expect(lowerBound(around).bytes).toBe(1 + 2 * (10 + 10) + 3);
  });

  const nothing = { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 0 };
  const keeping = (inputs: readonly number[], bytes: number, change: Partial<MeasuredVertex> = {}) => ({
    bytes,
    flops: 0,
    inputs,
    keeps: nothing,
    ...change,
  });
  const source = { bytes: 1, flops: 0, inputs: [] };

  it('counts a forward that reads a whole tensor through a partial view, if no backward needs as much', () => {
    // The view holds 100 bytes while 1,000 are written; backward has the gradients 1,000 and 1.
    const problem = measuredProblem([
      source,
      keeping([0], 100),
      keeping([1], 1, { alias: 'view' }),
      keeping([2], 1000),
    ]);
    const bound = { bytes: 1 + 100 + 1000, step: 'forward', vertex: 3, around: false };
    expect(lowerBound(problem)).toEqual(bound);
    expect(new ExhaustiveSchedules(problem).lowestPeak()).toBe(bound.bytes);
    const view = keeping([1], 1, { alias: 'view' });
    const last = keeping([2], 1000, { keeps: { ...nothing, auxBytes: 7 } });
    expect(lowerBound(measuredProblem([source, keeping([0], 100), view, last]))).toMatchObject({
      bytes: 1 + 100 + 1000 + 7,
      step: 'forward',
    });
  });

  it('counts the storage that an in-place operation took over, not the bytes of its value', () => {
    const problem = measuredProblem([
      source,
      keeping([0], 100),
      keeping([1], 1, { alias: 'inplace' }),
      keeping([2], 1000),
    ]);
    expect(problem.memory.takesOver[2]).toBe(1);
    expect(lowerBound(problem)).toMatchObject({ bytes: 1 + 100 + 1000, step: 'forward', vertex: 3 });
    expect(new ExhaustiveSchedules(problem).lowestPeak()).toBe(1 + 100 + 1000);
  });

  it('counts a value and its view once', () => {
    // Backward v3 needs v1 and its view v2, one storage of 50 bytes.
    const problem = measuredProblem([
      source,
      keeping([0], 50),
      keeping([1], 50, { alias: 'view' }),
      keeping([1, 2], 1, { keeps: { ...nothing, inputs: [0, 1] } }),
    ]);
    expect(lowerBound(problem)).toMatchObject({ bytes: 1 + 50 + 1 + 50 + 50, step: 'backward', vertex: 3 });
  });

  it('lets a full view pass its gradient on, and a partial view not', () => {
    const viewing = (bytes: number): Problem =>
      measuredProblem([source, keeping([0], 100), keeping([1], bytes, { alias: 'view' }), keeping([2], 2)]);
    expect(lowerBound(viewing(60))).toEqual({
      bytes: 1 + 60 + 100,
      step: 'backward',
      vertex: 2,
      around: false,
    });
    expect(new ExhaustiveSchedules(viewing(60)).lowestPeak()).toBe(161);
    // Backward v3 has the gradients of v3 and v2; backward v2 that of v2 alone.
    expect(lowerBound(viewing(100))).toMatchObject({ bytes: 1 + 100 + 2, vertex: 3 });
    expect(new ExhaustiveSchedules(viewing(100)).lowestPeak()).toBe(103);
  });

  it('is never above the lowest peak of all schedules, for any graph of a file', () => {
    let met = 0;
    for (const [name, problem] of measuredProblems(250, 65, { most: 7 })) {
      const lowest = new ExhaustiveSchedules(problem).lowestPeak();
      const { bytes } = lowerBound(problem);
      expect(bytes, name).toBeLessThanOrEqual(lowest);
      if (bytes === lowest) met++;
    }
    expect(met).toBeGreaterThan(fewest(200));
  });

  it('is computed once per memory model', () => {
    const problem = bytesProblem([1, 20, 30, 2], '0>1 1>2 2>3');
    expect(lowerBound(problem)).toBe(lowerBound({ ...problem }));
  });

  it('is never above the peak of a random schedule', () => {
    const rng = createRng(6);
    for (const [name, problem] of randomProblems(1500, 62)) {
      const { peakBytes } = simulate(problem.graph, problem.memory, randomSchedule(rng, problem));
      expect(lowerBound(problem).bytes, name).toBeLessThanOrEqual(peakBytes);
    }
  });

  it('is never above the lowest peak of all schedules, and often meets it', () => {
    let met = 0;
    let searched = 0;
    for (const [name, problem] of randomProblems(300, 63, 8)) {
      if (problem.graph.size > 9) continue;
      const lowest = new ExhaustiveSchedules(problem).lowestPeak();
      const { bytes } = lowerBound(problem);
      expect(bytes, name).toBeLessThanOrEqual(lowest);
      searched++;
      if (bytes === lowest) met++;
    }
    expect(searched).toBeGreaterThan(fewest(150));
    expect(met / searched).toBeGreaterThan(0.95);
  });

  describe('searching for bypasses', () => {
    /**
     * A step of 3,997 bytes that 200 go around, in a region of ten; after it wide steps of 4,001 bytes in a region of this
     * many vertices, whose way around needs 1 byte where 300 look possible.
     */
    function twoRegions(wide: number, vertices: number): Problem {
      const bytes = [1, 200];
      const inputs: number[][] = [[], [0]];
      const add = (own: number, ...from: number[]): number => {
        inputs.push(from);
        return bytes.push(own) - 1;
      };
      let last = add(999, add(999, 1));
      while (bytes.length < 10) last = add(1, last);
      const fork = add(300, add(1, 1, last));
      last = fork;
      for (let i = 0; i <= wide; i++) last = add(1000, last);
      const end = add(1, last);
      for (last = fork; bytes.length < fork + vertices - 1; ) last = add(1, last);
      add(1, end, last);
      const edges = inputs.flatMap((from, v) => from.map((u): [number, number] => [u, v]));
      return createProblem(bytesGraph({ n: bytes.length, edges, cost: bytes }), 'pytorch');
    }

    it('also considers the vertex before the target', () => {
      const bound = lowerBound(bytesProblem([1, 7, 10, 10, 1], '0>1 1>2 2>3 3>4 1>4'));
      expect(bound).toEqual({ bytes: 1 + 2 * 20 + 7, step: 'backward', vertex: 3, around: true });
    });

    it('starts with the most promising steps, and ends after ten cuts and 800,000 vertices', () => {
      const found = 1 + 4 * 999 + 200;
      const given = 1 + 4 * 1000 + 1;
      expect(lowerBound(twoRegions(10, 79_999)).bytes).toBe(found);
      expect(lowerBound(twoRegions(10, 80_000)).bytes).toBe(given);
      expect(lowerBound(twoRegions(9, 90_000)).bytes).toBe(found);
    });
  });
});
