import { describe, expect, it } from 'vitest';
import { simulate } from '../../../../engine/simulate/simulate.ts';
import { createRng, type Rng } from '../../../../engine/rng.ts';
import { PeekableStream } from '../../../../engine/strategies/search/peekable-stream.ts';
import {
  checkpointsOf,
  isBetter,
  judgeKeep,
  lazyPlanOf,
} from '../../../../engine/strategies/search/candidate.ts';
import {
  expiryOf,
  KEEP_ALL,
  KEEP_AUX,
  KEEP_VALUE,
  keepUntil,
} from '../../../../engine/strategies/search/keep-encoding.ts';
import { isLarge } from '../../../../engine/strategies/search/size-threshold.ts';
import { lazySchedule } from '../../../../engine/schedule/lazy.ts';
import { modelOf, workChain } from '../../../support/live-models.ts';
import { measuredProblem } from '../../../support/measured-graphs.ts';
import { bytesProblem } from '../../../support/problems.ts';
import { drawn } from '../../../support/schedule-text.ts';

describe('a choice', () => {
  it('names a value, an auxiliary and a position', () => {
    expect([KEEP_VALUE | KEEP_AUX, keepUntil(0), keepUntil(1), keepUntil(5)]).toEqual([KEEP_ALL, 3, 7, 23]);
    expect([expiryOf(3), expiryOf(keepUntil(9)), expiryOf(keepUntil(9) & ~KEEP_AUX)]).toEqual([0, 9, 9]);
  });

  it('is kept by all vertices of an item', () => {
    const none = { inputs: [], output: true, auxBytes: 0, fixedAuxBytes: 0 };
    const problem = measuredProblem([
      { bytes: 1, flops: 0, inputs: [] },
      { bytes: 8, flops: 1, inputs: [0], keeps: none },
      { bytes: 4, flops: 1, inputs: [1], keeps: none, alias: 'view' },
      { bytes: 4, flops: 1, inputs: [2], keeps: none },
      { bytes: 4, flops: 1, inputs: [3], keeps: none },
    ]);
    const model = modelOf(problem);
    expect(model.items).toBe(4);
    const plan = lazyPlanOf(model, Int32Array.of(KEEP_ALL, keepUntil(2), KEEP_AUX, KEEP_VALUE));
    expect([...Array.from(plan.order)]).toEqual([1, 2, 3, 4]);
    expect([...plan.kept]).toEqual([1, 1, 1, 0, 1]);
    expect([...plan.keptAux]).toEqual([1, 1, 1, 1, 0]);
    expect([...plan.expiry]).toEqual([0, 2, 2, 0, 0]);
  });

  it('is judged by the simulator', () => {
    const problem = workChain([1, 4, 4, 4, 1], [0, 1, 2, 3, 4]);
    const model = modelOf(problem);
    const keep = Int32Array.of(3, 0, 3, 3, 3);
    const { schedule, peakBytes, recomputeWork } = judgeKeep(problem, model, keep);
    const timeline = simulate(problem.graph, problem.memory, schedule);
    expect(drawn(schedule)).toBe(drawn(lazySchedule(problem.graph, problem.memory, lazyPlanOf(model, keep))));
    expect([peakBytes, recomputeWork]).toEqual([timeline.peakBytes, 1]);
    expect(recomputeWork).toBe(timeline.recomputeWork);
  });
});

it('isBetter prefers the lower peak, then less recompute', () => {
  const { schedule } = judgeKeep(workChain([1, 1], []), modelOf(workChain([1, 1], [])), Int32Array.of(3, 3));
  const of = (peakBytes: number, recomputeWork: number) => ({ schedule, peakBytes, recomputeWork });
  expect(isBetter(of(4, 9), of(5, 1))).toBe(true);
  expect(isBetter(of(5, 1), of(4, 9))).toBe(false);
  expect(isBetter(of(4, 1), of(4, 9))).toBe(true);
  expect(isBetter(of(4, 9), of(4, 9))).toBe(false);
  expect(isBetter(of(4, 9), of(4, 1))).toBe(false);
});

describe('checkpointsOf', () => {
  it('names what stays from the first forward to its last use', () => {
    const of = (kept: readonly number[]): number[] => {
      const problem = bytesProblem([1, 1, 1, 1, 1, 1], '0>1 1>2 2>3 3>4 4>5');
      const model = modelOf(problem);
      const keep = Int32Array.from({ length: 6 }, (_, item) => (item === 0 || kept.includes(item) ? 3 : 0));
      return checkpointsOf(judgeKeep(problem, model, keep).schedule, 6);
    };
    // Nothing is recomputed, so nothing is a checkpoint.
    expect(of([1, 2, 3, 4, 5])).toEqual([]);
    expect(of([2, 4, 5])).toEqual([2]);
    expect(of([2, 3, 4, 5])).toEqual([]);
    expect(of([1, 2, 4, 5])).toEqual([1, 2]);
    expect(of([1, 2, 3, 5])).toEqual([1, 2, 3]);
  });

  it('does not name what is freed before backward', () => {
    const none = { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 0 };
    const problem = measuredProblem([
      { bytes: 1, flops: 0, inputs: [] },
      { bytes: 4, flops: 1, inputs: [0], keeps: none },
      { bytes: 4, flops: 1, inputs: [1], keeps: none },
      { bytes: 4, flops: 1, inputs: [2], keeps: { ...none, output: true } },
      { bytes: 4, flops: 1, inputs: [3], keeps: none },
      { bytes: 4, flops: 1, inputs: [4], keeps: { ...none, inputs: [0] } },
    ]);
    // v3 is recomputed from v2; no backward needs v1, which is freed in forward.
    const { schedule } = judgeKeep(problem, modelOf(problem), Int32Array.of(3, 3, 3, 0, 3, 3));
    expect(checkpointsOf(schedule, 6)).toEqual([2]);
  });
});

it('PeekableStream gives the same stream, looked at or not', () => {
  const stream = (peeks: (rng: PeekableStream, i: number) => void): number[] => {
    const rng = new PeekableStream(createRng(7));
    return Array.from({ length: 6 }, (_, i) => {
      peeks(rng, i);
      return i % 2 === 0 ? rng.next() : rng.below(1000);
    });
  };
  const plain: Rng = createRng(7);
  const expected = Array.from({ length: 6 }, (_, i) => (i % 2 === 0 ? plain.next() : plain.below(1000)));
  expect(stream(() => undefined)).toEqual(expected);
  expect(stream((rng) => expect(rng.peek()).toBe(rng.peek()))).toEqual(expected);
  const zero = new PeekableStream({ next: () => 0, below: () => 0 });
  expect([zero.peek(), zero.next(), zero.below(5)]).toEqual([0, 0, 0]);
  let calls = 0;
  const counted = new PeekableStream({ next: () => ++calls / 10 - 0.1, below: () => 0 });
  expect([counted.peek(), counted.peek(), counted.next(), counted.next()]).toEqual([0, 0, 0, 0.1]);
});

it('a large graph has more than 2,000 vertices', () => {
  expect([2000, 2001].map((length) => isLarge({ order: new Int32Array(length) }))).toEqual([false, true]);
});
