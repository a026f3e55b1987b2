import { describe, expect, it } from 'vitest';
import { GraphBuilder } from '../../../engine/graph/builder.ts';
import { batchNorm, conv2d, FLATTEN, IDENTITY, linear, RELU_INPLACE } from '../../../engine/ops/make.ts';
import { createProblem } from '../../../engine/problem.ts';
import { HOLDER_KINDS, type Lifetimes } from '../../../engine/simulate/lifetime-log.ts';
import { simulate, tensorLifetimes, type Timeline } from '../../../engine/simulate/simulate.ts';
import type { Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { measuredProblem } from '../../support/measured-graphs.ts';
import { asCaptured, bytesProblem, randomProblems } from '../../support/problems.ts';
import { randomSchedule, withHeldGradients, withTransfers } from '../../support/random-schedules.ts';
import { steps } from '../../support/schedule-text.ts';
import { chance, createRng } from '../../support/rng.ts';

/** Bytes of each holder at each step, added up from the tensors. */
function sums({ vertices, holders, bytes, first, last }: Lifetimes, steps: number): number[][] {
  const byHolder = HOLDER_KINDS.map(() => new Array<number>(steps).fill(0));
  for (let i = 0; i < vertices.length; i++) {
    const series = byHolder[holders[i]!]!;
    for (let t = first[i]!; t <= last[i]!; t++) series[t]! += bytes[i]!;
  }
  return byHolder;
}

function curves(timeline: Timeline): number[][] {
  const { source, checkpoints, recomputed, gradients, auxiliaries } = timeline;
  const input = Array.from(timeline.live, () => source);
  return [input, [...checkpoints], [...recomputed], [...gradients], [...auxiliaries]];
}

describe('tensor lifetimes', () => {
  it('[M1] [M5] add up to the live bytes of every holder at every step of random schedules', () => {
    const rng = createRng(4);
    for (const [name, plain] of randomProblems(900, 14, 14)) {
      const problem = chance(rng, 0.5) ? plain : asCaptured(rng, plain);
      const { graph, memory } = problem;
      const schedule = withHeldGradients(rng, problem, randomSchedule(rng, problem));
      const timeline = simulate(graph, memory, schedule);
      const lifetimes = tensorLifetimes(graph, memory, schedule);
      expect(sums(lifetimes, timeline.live.length), name).toEqual(curves(timeline));
    }
  });

  it('[M19] list what is fetched again', () => {
    const rng = createRng(6);
    for (const [name, plain] of randomProblems(600, 23, 14)) {
      const problem = chance(rng, 0.5) ? plain : asCaptured(rng, plain);
      const { graph, memory } = problem;
      const schedule = withTransfers(rng, problem, randomSchedule(rng, problem));
      const timeline = simulate(graph, memory, schedule);
      const lifetimes = tensorLifetimes(graph, memory, schedule);
      expect(sums(lifetimes, timeline.live.length), name).toEqual(curves(timeline));
    }
    const chain = bytesProblem([1, 2, 4], '0>1 1>2');
    const sent = steps('F1 F2 S1 X1 R1 B2 X2 B1 X1');
    const { vertices, holders, first, last } = tensorLifetimes(chain.graph, chain.memory, sent);
    const spans = [...vertices.keys()].filter((i) => vertices[i] === 1 && holders[i] === 1);
    expect(spans.map((i) => [first[i], last[i]])).toEqual([
      [0, 2],
      [4, 7],
    ]);
  });

  it('name the value that is in a storage: an in-place operation takes it over', () => {
    for (const [, problem] of randomProblems(300, 5, 14)) {
      const { graph, memory } = problem;
      const taker = memory.takesOver.findIndex((u) => u > 0);
      if (taker < 0) continue;
      const taken = memory.takesOver[taker]!;
      const { vertices, holders, first, last } = tensorLifetimes(
        graph,
        memory,
        randomSchedule(createRng(5), problem),
      );
      const spans = (vertex: number) =>
        [...vertices.keys()]
          .filter((i) => vertices[i] === vertex && holders[i]! <= 2)
          .map((i) => [first[i]!, last[i]!]);
      for (const [begin] of spans(taker)) {
        expect(spans(taken).some(([, end]) => end === begin! - 1)).toBe(true);
      }
    }
  });

  /** `v2:checkpoints:128@1-2`: what of which vertex holds how many bytes from which to which step. */
  function listed({ graph, memory }: Problem, drawing: string): string[] {
    const { vertices, holders, bytes, first, last } = tensorLifetimes(graph, memory, steps(drawing));
    expect([holders, bytes, first, last].map(({ length }) => length)).toEqual(
      new Array(4).fill(vertices.length),
    );
    return [...vertices].map(
      (v, i) => `${graph.ids[v]}:${HOLDER_KINDS[holders[i]!]}:${bytes[i]}@${first[i]}-${last[i]}`,
    );
  }

  it('list every tensor with its steps, and leave out what has no bytes', () => {
    expect(listed(bytesProblem([10, 20, 0, 5], '0>1 1>2 2>3'), 'F1 F2 X1 F3 B3 X3 F1 B2 X2 B1 X1')).toEqual([
      'v0:input:10@0-10',
      'v1:checkpoints:20@0-1',
      'v3:checkpoints:5@3-4',
      'v3:gradients:5@4-4',
      'v1:recomputed:20@6-9',
      'v1:gradients:20@7-9',
    ]);
  });

  it('say whose the bytes are from the step at which an operation in place takes them over', () => {
    const b = new GraphBuilder('in place');
    b.input('x', [2, 1, 4, 4]);
    b.add('n', batchNorm(), ['x']);
    b.add('r', RELU_INPLACE, ['n']);
    const problem = createProblem(b.build(), 'pytorch');
    expect(listed(problem, 'F1 F2 B2 X2 B1')).toEqual([
      'x:input:128@0-4',
      'n:checkpoints:128@0-0',
      'n:auxiliaries:8@0-4',
      'r:checkpoints:128@1-2',
      'r:gradients:128@2-2',
      'n:gradients:128@2-4',
    ]);
    // Both recomputed.
    expect(listed(problem, 'F1 A1 F2 X2 F1 F2 B2 X2 B1').slice(4)).toEqual([
      'n:recomputed:128@4-4',
      'n:auxiliaries:8@4-8',
      'r:recomputed:128@5-6',
      'r:gradients:128@6-6',
      'n:gradients:128@6-8',
    ]);
  });

  it('[M4] hand the gradient of a view over at its backward, and share it while it is held', () => {
    const b = new GraphBuilder('view');
    b.input('x', [2, 1, 4, 4]);
    b.add('f', FLATTEN, [b.add('c', conv2d(1, 3, { padding: 1 }), ['x'])]);
    b.add('y', linear(4), ['f']);
    const problem = createProblem(b.build(), 'pytorch');
    const gradients = (drawing: string): string[] =>
      listed(problem, drawing).filter((line) => line.includes('gradients'));
    expect(gradients('F1 F2 X1 F3 X3 B3 X2 B2 B1')).toEqual([
      'y:gradients:32@5-5',
      'f:gradients:128@5-6',
      'c:gradients:128@7-8',
    ]);
    expect(gradients('F1 F2 X1 F3 X3 H2 B3 X2 B2 B1 G2')).toEqual([
      'y:gradients:32@6-6',
      'f:gradients:128@6-9',
    ]);
  });

  it('keep the name of a held gradient that a view of a view hands on', () => {
    const b = new GraphBuilder('views');
    b.input('x', [2, 1, 4, 4]);
    b.add('i', IDENTITY, [b.add('c', conv2d(1, 3, { padding: 1 }), ['x'])]);
    b.add('y', linear(4), [b.add('f', FLATTEN, ['i'])]);
    const lines = listed(createProblem(b.build(), 'pytorch'), 'F1 F2 X1 F3 X2 F4 X4 H3 B4 X3 B3 B2 B1 G3');
    expect(lines.filter((line) => line.includes('gradients'))).toEqual([
      'y:gradients:32@8-8',
      'f:gradients:128@8-12',
    ]);
  });

  it('tell storages apart that bore one name, with bytes and without, and need no source with bytes', () => {
    const keeps = { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 0 };
    const inPlace = (source: number, bytes: number): Problem =>
      measuredProblem([
        { bytes: source, flops: 0, inputs: [] },
        { bytes, flops: 0, inputs: [0], keeps },
        { bytes, flops: 0, inputs: [1], keeps, alias: 'inplace' },
        { bytes: 5, flops: 0, inputs: [2], keeps },
      ]);
    // v1 is recomputed beside the first storage that it had, in one that bears the name of v3.
    expect(listed(inPlace(1, 0), 'F1 F2 F3 X3 F1 X1 B3 X2 B2 B1')).toEqual([
      'v0:input:1@0-9',
      'v3:checkpoints:5@2-2',
      'v3:gradients:5@6-6',
    ]);
    expect(listed(inPlace(0, 4), 'F1 F2 F3 X3 X2 B3 B2 B1')).toEqual([
      'v1:checkpoints:4@0-0',
      'v2:checkpoints:4@1-3',
      'v3:checkpoints:5@2-2',
      'v3:gradients:5@5-5',
      'v2:gradients:4@5-6',
      'v1:gradients:4@6-7',
    ]);
  });
});
