import { describe, expect, it } from 'vitest';
import { GraphBuilder } from '../../../engine/graph/builder.ts';
import {
  ADD,
  ADD_INPLACE,
  batchNorm,
  conv2d,
  dropout,
  FLATTEN,
  linear,
  maxPool,
  RELU_INPLACE,
  SHIFT,
} from '../../../engine/ops/make.ts';
import type { MemoryModel } from '../../../engine/ops/memory-model.ts';
import { createProblem } from '../../../engine/problem.ts';
import {
  predictedOverhead,
  ScheduleError,
  simulate,
  type Timeline,
} from '../../../engine/simulate/simulate.ts';
import type { Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { measuredProblem } from '../../support/measured-graphs.ts';
import { bytesProblem } from '../../support/problems.ts';
import { steps } from '../../support/schedule-text.ts';

const run = ({ graph, memory }: Problem, drawing: string): Timeline =>
  simulate(graph, memory, steps(drawing));

/** v0 (10) -> v1 (20) -> v2 (30) -> v3 (5) */
const CHAIN = bytesProblem([10, 20, 30, 5], '0>1 1>2 2>3');
const FORK = bytesProblem([1, 1, 1, 1], '0>1 0>2 1>3 2>3');

describe('transfers to host memory, by hand', () => {
  const problem = bytesProblem([10, 20, 30, 5], '0>1 1>2 2>3');

  it('[M18] [M19] [M20] take device memory from a fetch to a free, and host memory from the send to the fetch', () => {
    const { live, host, checkpoints, backwardStart, savedBytes, recomputeFraction } = run(
      problem,
      'F1 F2 S1 X1 F3 B3 X3 R1 B2 X2 B1 X1',
    );
    expect([...live]).toEqual([30, 60, 60, 40, 45, 80, 70, 90, 110, 50, 50, 10]);
    expect([...checkpoints].slice(0, 8)).toEqual([20, 50, 50, 30, 35, 35, 30, 50]);
    expect([...(host?.bytes ?? [])]).toEqual([0, 0, 20, 20, 20, 20, 20, 20, 0, 0, 0, 0]);
    expect(host).toMatchObject({ peakBytes: 20, sentBytes: 20, fetchedBytes: 20 });
    expect([backwardStart, savedBytes, recomputeFraction]).toEqual([5, 45, 0]);
    // A fetch ahead of the first backward step belongs to backward.
    expect(run(problem, 'F1 F2 S1 X1 F3 R1 B3 X3 B2 X2 B1 X1').backwardStart).toBe(5);
    expect(run(problem, 'F1 F2 F3 B3 X3 B2 X2 B1 X1')).not.toHaveProperty('host');
  });

  it('[M18] [M19] [M20] are refused where there is nothing to copy, and for nothing', () => {
    const cases: [string, RegExp][] = [
      ['F1 F2 X1 S1', /step 3 \(send v1\): its activation is not live/],
      ['F1 S1 S1', /step 2 \(send v1\): it is in host memory already/],
      ['F1 F2 X1 R1', /step 3 \(fetch v1\): it was not sent to host memory/],
      ['F1 S1 R1', /step 2 \(fetch v1\): its activation is already live/],
      ['S0', /the source and unknown vertices take no step/],
      ['F1 S1 F2 F3 B3 X3 B2 X2 B1 X1', /not complete: v1 is sent to host memory and never fetched/],
    ];
    for (const [drawing, sentence] of cases) {
      expect(() => run(problem, drawing)).toThrow(ScheduleError);
      expect(() => run(problem, drawing)).toThrow(sentence);
    }
  });

  it('[M18] [M19] know views and what was overwritten in place', () => {
    const none = { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 0 };
    const measured = measuredProblem([
      { bytes: 1, flops: 0, inputs: [] },
      { bytes: 8, flops: 0, inputs: [0], keeps: none },
      { bytes: 4, flops: 0, inputs: [1], keeps: { ...none, output: true }, alias: 'inplace' },
      { bytes: 4, flops: 0, inputs: [2], keeps: { ...none, output: true }, alias: 'view' },
      { bytes: 2, flops: 0, inputs: [3], keeps: none },
    ]);
    expect(() => run(measured, 'F1 F2 F3 S3')).toThrow(/it is a view; send its storage’s tensor instead/);
    expect(() => run(measured, 'F1 F2 F3 S2')).toThrow(/a view still reads its storage/);
    // The storage that v2 took over has 8 bytes, and so does the fetched value.
    const { live, host } = run(measured, 'F1 F2 F3 F4 X4 X3 S2 X2 B4 R2 F3 B3 X3 B2 X2 B1');
    expect(host).toMatchObject({ sentBytes: 8, fetchedBytes: 8 });
    expect(live[9]! - live[7]!).toBe(8 + 4);
  });
});

describe('simulate on chains, by hand', () => {
  it('[M1] [M5] [M6] [M7] counts a regular step of three vertices', () => {
    const timeline = run(bytesProblem([10, 20, 5], '0>1 1>2'), 'F1 F2 B2 X2 B1 X1');
    // Backward v2 holds source, v1, v2, the gradient of v2 and the new gradient of v1.
    expect([...timeline.live]).toEqual([30, 35, 10 + 20 + 5 + 5 + 20, 50, 50, 10]);
    expect([...timeline.gradients]).toEqual([0, 0, 25, 20, 20, 0]);
    expect([...timeline.checkpoints]).toEqual([20, 25, 25, 20, 20, 0]);
    expect(timeline).toMatchObject({
      source: 10,
      peakBytes: 60,
      peakStep: 2,
      backwardStart: 2,
      savedBytes: 35,
    });
    expect(timeline).toMatchObject({
      forwardWork: 25,
      recomputeWork: 0,
      backwardWork: 50,
      recomputeFraction: 0,
    });
  });

  it('[M9] counts a step that recomputes v1 of four vertices', () => {
    const timeline = run(CHAIN, 'F1 F2 X1 F3 B3 X3 F1 B2 X2 B1 X1');
    expect([...timeline.live]).toEqual([30, 60, 40, 45, 80, 70, 90, 110, 50, 50, 10]);
    expect([...timeline.recomputed]).toEqual([0, 0, 0, 0, 0, 0, 20, 20, 20, 20, 0]);
    expect(timeline).toMatchObject({ peakBytes: 110, peakStep: 7, backwardStart: 4, savedBytes: 45 });
    expect(timeline).toMatchObject({ recomputeWork: 20, recomputedVertices: 1, recomputeFraction: 20 / 55 });
    expect(predictedOverhead(timeline)).toBeCloseTo(20 / 165);
  });

  it('ends the first forward at a recompute that opens backward', () => {
    const timeline = run(CHAIN, 'F1 F2 F3 X3 X2 F2 F3 B3 X3 B2 X2 B1 X1');
    expect(timeline.backwardStart).toBe(5);
    expect(timeline.savedBytes).toBe(30);
    // A recompute before the target has run is none of backward.
    const early = run(bytesProblem([10, 20, 5], '0>1 1>2'), 'F1 X1 F1 F2 B2 X2 B1 X1');
    expect(early).toMatchObject({ backwardStart: 4, savedBytes: 10 + 20 + 5, recomputedVertices: 1 });
  });

  it('[M4] adds up the gradients of a vertex with two consumers once', () => {
    // v1 feeds v2 and v3; both add into one gradient of v1.
    const timeline = run(bytesProblem([1, 2, 4, 8], '0>1 1>2 1>3 2>3'), 'F1 F2 F3 B3 X3 B2 X2 B1 X1');
    expect([...timeline.gradients]).toEqual([0, 0, 0, 8 + 4 + 2, 6, 6, 2, 2, 0]);
  });
});

describe('[M2] [M4] [M8] simulate refuses', () => {
  const cases: [string, Problem, string, string, number][] = [
    ['a forward of a live vertex', CHAIN, 'F1 F1', 'its activation is already live', 1],
    ['a forward without its input', CHAIN, 'F2', 'needs v1, which is not live', 0],
    ['a forward after its input was freed', CHAIN, 'F1 X1 F2', 'needs v1, which is not live', 2],
    [
      'a backward before the forward has ended',
      CHAIN,
      'F1 F2 B3',
      'backward starts before the forward has ended',
      2,
    ],
    ['a backward before its consumers', CHAIN, 'F1 F2 F3 B2', 'v3 has not run backward', 3],
    ['a second backward', CHAIN, 'F1 F2 F3 B3 B3', 'its backward has already run', 4],
    ['a backward without what it needs', CHAIN, 'F1 F2 X1 F3 B3 B2', 'needs v1, which is not live', 5],
    ['a free of what is not live', CHAIN, 'F1 X2', 'its activation is not live', 1],
    ['a free of the source', CHAIN, 'X0', 'the source and unknown vertices take no step', 0],
    ['an unknown vertex', CHAIN, 'F9', 'the source and unknown vertices take no step', 0],
    ['the vertex after the last', CHAIN, 'F4', 'the source and unknown vertices take no step', 0],
    ['a hold of a vertex before the first', CHAIN, 'H-1', 'the source and unknown vertices take no step', 0],
    ['a free of an auxiliary that is not there', CHAIN, 'F1 A1', 'it keeps no auxiliary now', 1],
    ['a vertex never forwarded', FORK, 'F2 X2', 'v1 is never forwarded', 1],
    ['a vertex never backwarded', CHAIN, 'F1 F2 F3 B3 X3 B2 X2 X1', 'v1 never runs backward', 7],
    ['a leftover', CHAIN, 'F1 F2 F3 B3 X3 B2 B1 X1', 'v2 is never freed', 7],
  ];
  it.each(cases)('%s', (_what, problem, drawing, message, step) => {
    const act = (): unknown => run(problem, drawing);
    expect(act).toThrow(ScheduleError);
    expect(act).toThrow(message);
    expect(act).toThrow(expect.objectContaining({ step }));
  });

  it('a vertex that runs forward and never backward, though nothing of it is left', () => {
    expect(() => run(FORK, 'F1 F2 F3 B3 X3 B2 X2 X1')).toThrow('not complete: v1 never runs backward');
  });

  it('a free of the gradient of the source while a consumer has still to run backward', () => {
    expect(() => run(FORK, 'H0 F1 F2 F3 B3 X3 B2 X2 G0 B1 X1')).toThrow(
      'step 8 (free-gradient v0): comes too early',
    );
    expect(run(FORK, 'H0 F1 F2 F3 B3 X3 B2 X2 B1 X1 G0').live.at(-1)).toBe(1);
  });

  it('a hold of the gradient of a source without bytes', () => {
    expect(() => run(bytesProblem([0, 1, 1], '0>1 1>2'), 'F1 F2 H0')).toThrow(
      'step 2 (hold-gradient v0): the source has no gradient',
    );
  });

  it('an unknown kind of step', () => {
    const schedule = { kinds: Uint8Array.of(9), vertices: Int32Array.of(1) };
    expect(() => simulate(CHAIN.graph, CHAIN.memory, schedule)).toThrow('unknown kind of step');
  });
});

/** x [2,1,4,4] = 128 bytes; every vertex but the last has the same size unless it says otherwise. */
function network(build: (b: GraphBuilder) => void): Problem {
  const b = new GraphBuilder('small');
  b.input('x', [2, 1, 4, 4]);
  build(b);
  return createProblem(b.build(), 'pytorch');
}
const CONV = conv2d(1, 3, { padding: 1 });

describe('simulate with operations', () => {
  it('[M3] lets an in-place activation take over its input', () => {
    const problem = network((b) => b.add('r', RELU_INPLACE, [b.add('c', CONV, ['x'])]));
    const timeline = run(problem, 'F1 F2 B2 X2 B1');
    // Gradients of r and c at backward r; the old value of c is gone, so nobody frees it.
    expect([...timeline.live]).toEqual([256, 256, 512, 256, 256]);
    expect(() => run(problem, 'F1 F2 B2 X2 X1 B1')).toThrow('its activation is not live');
  });

  it('forwards a vertex again whose storage an in-place operation still holds', () => {
    const problem = network((b) => {
      b.add('d', dropout(0.5), ['x']);
      b.add('r', RELU_INPLACE, ['d']);
      b.add('c', CONV, ['r']);
    });
    // d is recomputed for its mask (32 bytes) while r lives in the first storage of d.
    const timeline = run(problem, 'F1 A1 F2 F3 X3 F1 X1 B3 B2 X2 B1');
    expect([...timeline.live]).toEqual([288, 256, 256, 384, 256, 416, 288, 544, 544, 288, 288]);
    expect([...timeline.auxiliaries]).toEqual([32, 0, 0, 0, 0, 32, 32, 32, 32, 32, 32]);
  });

  it('[M3] counts a view and what it views once, until both are freed', () => {
    const problem = network((b) => {
      b.add('c', CONV, ['x']);
      b.add('f', FLATTEN, ['c']);
      b.add('y', linear(4), ['f']);
    });
    const timeline = run(problem, 'F1 F2 X1 F3 X3 B3 X2 B2 B1');
    // y has 32 bytes. At backward f the gradient of f becomes that of c without a copy.
    expect([...timeline.live]).toEqual([256, 256, 256, 288, 256, 416, 256, 256, 256]);
  });

  it('[M4] gives the whole its own gradient where a view shows a part', () => {
    const problem = network((b) => {
      b.add('c', CONV, ['x']);
      b.add('s', SHIFT, ['c']);
      b.add('d', CONV, ['s']);
    });
    const timeline = run(problem, 'F1 F2 X1 F3 X3 B3 X2 B2 B1');
    // s and d have 72 bytes; at backward s its gradient (72) and that of c (128) live at once.
    expect(timeline.live[5]).toBe(128 + 128 + 72 + 72);
    expect(timeline.gradients[7]).toBe(72 + 128);
  });

  it('[M2] [M4] holds auxiliaries from forward to backward', () => {
    const problem = network((b) => b.add('p', maxPool(2), [b.add('n', batchNorm(), ['x'])]));
    // Statistics of n: 8 bytes. Indices of p: 8 bytes for each of 8 elements; p has 32 bytes.
    const timeline = run(problem, 'F1 F2 X2 B2 X1 B1');
    expect([...timeline.auxiliaries]).toEqual([8, 72, 72, 72, 8, 8]);
    expect(timeline.peakBytes).toBe(128 + 128 + 72 + 32 + 128);
    expect(timeline.savedBytes).toBe(128 + 128 + 72);
    expect(() => run(problem, 'F1 F2 X2 A2 B2')).toThrow('needs its auxiliary, which is not live');
    expect(() => run(problem, 'F1 X1 F1')).toThrow('its auxiliary of an earlier forward was not freed');
  });

  it('[M1] keeps the sum of its parts equal to the live bytes', () => {
    const problem = network((b) => {
      b.add('c', CONV, ['x']);
      b.add('d', CONV, ['c']);
      b.add('s', ADD_INPLACE, ['d', 'c']);
      b.add('t', ADD, ['s', 's']);
    });
    const timeline = run(problem, 'F1 F2 F3 F4 X1 X3 X4 F1 B4 B3 B2 X1 B1');
    timeline.live.forEach((live, t) => {
      const { source, checkpoints, recomputed, gradients, auxiliaries } = timeline;
      const parts = [checkpoints, recomputed, gradients, auxiliaries].map((series) => series[t] ?? 0);
      expect(parts.reduce((sum, part) => sum + part, source)).toBe(live);
    });
    expect(timeline.recomputed[7]).toBe(128);
  });

  it('refuses an auxiliary that nobody freed', () => {
    const problem = network((b) => b.add('c', CONV, [b.add('n', batchNorm(), ['x'])]));
    // n is forwarded once more than its backward needs; its statistics stay.
    const drawing = 'F1 F2 X2 B2 B1 X1 F1 X1';
    expect(() => run(problem, drawing)).toThrow(ScheduleError);
    expect(() => run(problem, drawing)).toThrow('not complete: the auxiliary of n is never freed');
    expect(run(problem, `${drawing} A1`).live.at(-1)).toBe(128);
  });
});

describe('the work of a step', () => {
  const flops = (forward: readonly number[]): Problem => {
    const b = new GraphBuilder('flops');
    forward.forEach((value, v) => {
      b.addGiven(`v${v}`, { kind: 'opaque', label: '' }, v === 0 ? [] : [v - 1], 'own', {
        bytes: 1,
        flops: value,
      });
    });
    return createProblem(b.build(), 'pytorch');
  };

  it('is in FLOPs where the graph gives any, that of backward as the graph gives it', () => {
    const problem = flops([0, 100, 0, 40]);
    const timeline = run(problem, 'F1 F2 X1 F3 B3 X3 F1 B2 X2 B1 X1');
    const backward = problem.graph.backwardFlops.reduce((sum, value) => sum + value, 0);
    expect(backward).toBeGreaterThan(0);
    expect(timeline).toMatchObject({ forwardWork: 140, recomputeWork: 100, backwardWork: backward });
    expect(timeline).toMatchObject({ recomputeFraction: 100 / 140, recomputedVertices: 1 });
    expect(predictedOverhead(timeline)).toBe(100 / (140 + backward));
  });

  it('is nothing of an empty list', () => {
    const timeline = run(bytesProblem([3, 0, 0], '0>1 1>2'), 'F1 F2 X1 F1 B2 X2 B1 X1');
    expect(timeline).toMatchObject({ forwardWork: 0, recomputeWork: 0, recomputeFraction: 0 });
    expect(timeline).toMatchObject({ recomputedVertices: 1, peakBytes: 3, peakStep: 0, savedBytes: 3 });
    expect(predictedOverhead(timeline)).toBe(0);
  });
});

describe('simulate where an operation in place has company', () => {
  // v1 is read by v2, which writes over it, and by v3.
  const { graph, memory } = bytesProblem([1, 2, 2, 4], '0>1 1>2 1>3 2>3');
  const none = { needs: new Int32Array(0), needOffsets: new Int32Array(5) };
  const taking: MemoryModel = { ...memory, ...none, takesOver: Int32Array.of(-1, -1, 1, -1) };

  it('[M3] refuses a reader of the old value that comes after the write', () => {
    const judge = (): unknown => simulate(graph, taking, steps('F1 F2 F3 B3 X3 B2 X2 B1'));
    expect(judge).toThrow(expect.objectContaining({ step: 2 }));
    expect(judge).toThrow('step 2 (forward v3): needs v1, which is not live');
    // Recomputed it has a storage of its own, the first still being that of v2.
    const { live } = simulate(graph, taking, steps('F1 F2 F1 F3 X1 X2 X3 B3 B2 B1'));
    expect([...live]).toEqual([3, 3, 5, 9, 7, 5, 1, 1 + 4 + 2 + 2, 1 + 2 + 2, 3]);
  });

  it('[M3] refuses a write over what a view still reads', () => {
    // v2 is a view of v1, and v3 writes over v1.
    const viewed = {
      ...taking,
      takesOver: Int32Array.of(-1, -1, -1, 1),
      viewOf: Int32Array.of(-1, -1, 1, -1),
    };
    const judge = (): unknown => simulate(graph, viewed, steps('F1 F2 F3 X2 X3 B3 B2 B1'));
    expect(judge).toThrow(expect.objectContaining({ step: 2 }));
    expect(judge).toThrow('step 2 (forward v3): overwrites a storage that a view still reads');
  });
});
