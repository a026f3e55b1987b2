import { describe, expect, it } from 'vitest';
import { GraphBuilder } from '../../../engine/graph/builder.ts';
import { conv2d, RELU_INPLACE } from '../../../engine/ops/make.ts';
import { createProblem } from '../../../engine/problem.ts';
import { multiLevelSchedule, type NestedSegment } from '../../../engine/schedule/multi-level.ts';
import type { Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { measuredProblem } from '../../support/measured-graphs.ts';
import { bytesProblem, randomProblems } from '../../support/problems.ts';
import { referenceSimulate } from '../../support/reference-simulator.ts';
import { between, chance, createRng, type Rng } from '../../support/rng.ts';
import { drawn } from '../../support/schedule-text.ts';

function leaf(from: number, to: number, repeatedRecompute = false): NestedSegment {
  return { from, to, cut: null, repeatedRecompute };
}
function cut(before: NestedSegment, after: NestedSegment): NestedSegment {
  return { from: before.from, to: after.to, cut: { before, after }, repeatedRecompute: false };
}
function compute({ graph, memory }: Problem, root: NestedSegment, order?: number[], letters = 'FB'): string {
  const all = Int32Array.from(order ?? Array.from({ length: graph.size }, (_, v) => v));
  return drawn(multiLevelSchedule(graph, memory, all, root), letters);
}
function anyNested(rng: Rng, from: number, to: number): NestedSegment {
  if (to - from < 2 || chance(rng, 0.3)) return leaf(from, to, chance(rng, 0.3));
  const at = between(rng, from + 1, to - 1);
  return cut(anyNested(rng, from, at), anyNested(rng, at, to));
}

describe('multiLevelSchedule', () => {
  const chain = bytesProblem([1, 1, 1, 1, 1], '0>1 1>2 2>3 3>4');

  it('is regular training where nothing is cut, and stores the source alone under repeated recompute', () => {
    expect(compute(chain, leaf(0, 4))).toBe('F1 F2 F3 F4 B4 B3 B2 B1');
    expect(compute(chain, leaf(0, 4, true))).toBe('F1 F2 F3 F4 B4 F1 F2 F3 B3 F1 F2 B2 F1 B1');
    expect(compute(chain, leaf(0, 4), undefined, 'FBX')).toBe('F1 F2 F3 F4 B4 X4 B3 X3 B2 X2 B1 X1');
  });

  it('keeps what crosses a cut, does the part after it and then the part before it from scratch', () => {
    expect(compute(chain, cut(leaf(0, 2), leaf(2, 4)))).toBe('F1 F2 F3 F4 B4 B3 F1 B2 B1');
    expect(compute(chain, cut(leaf(0, 2), leaf(2, 4)), undefined, 'FBX')).toBe(
      'F1 F2 X1 F3 F4 B4 X4 B3 X3 F1 B2 X2 B1 X1',
    );
    expect(compute(chain, cut(leaf(0, 1), leaf(1, 4, true)))).toBe('F1 F2 F3 F4 B4 F2 F3 B3 F2 B2 B1');
  });

  it('cuts the parts after and before a cut again, recomputing the end of the latter', () => {
    expect(compute(chain, cut(leaf(0, 1), cut(leaf(1, 2), leaf(2, 4))))).toBe('F1 F2 F3 F4 B4 B3 B2 B1');
    expect(compute(chain, cut(leaf(0, 2), cut(leaf(2, 3), leaf(3, 4))))).toBe('F1 F2 F3 F4 B4 B3 F1 B2 B1');
    expect(compute(chain, cut(cut(leaf(0, 1), leaf(1, 3)), leaf(3, 4)))).toBe(
      'F1 F2 F3 F4 B4 F1 F2 F3 B3 B2 B1',
    );
  });

  it('follows the order', () => {
    const fork = bytesProblem([1, 1, 1, 1], '0>1 0>2 1>3 2>3');
    expect(compute(fork, leaf(0, 3), [0, 2, 1, 3])).toBe('F2 F1 F3 B3 B1 B2');
    // v2, at the first place, crosses the cut: v3 reads it.
    expect(compute(fork, cut(leaf(0, 1), leaf(1, 3)), [0, 2, 1, 3])).toBe('F2 F1 F3 B3 B1 B2');
  });

  it('forwards an operation again for an auxiliary that grows, and keeps one that does not', () => {
    const none = { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 0 };
    const problem = measuredProblem([
      { bytes: 1, flops: 1, inputs: [] },
      { bytes: 1, flops: 1, inputs: [0], keeps: { ...none, auxBytes: 2 } },
      { bytes: 1, flops: 1, inputs: [1], keeps: { ...none, fixedAuxBytes: 2 } },
      { bytes: 1, flops: 1, inputs: [2], keeps: none },
    ]);
    expect(compute(problem, cut(leaf(0, 2), leaf(2, 3)))).toBe('F1 F2 F3 B3 B2 F1 B1');
    expect(compute(problem, leaf(0, 3))).toBe('F1 F2 F3 B3 B2 B1');
    expect(compute(problem, leaf(0, 3, true))).toBe('F1 F2 F3 B3 B2 F1 B1');
  });

  it('recomputes the input of an operation in place with it', () => {
    const b = new GraphBuilder('in place');
    b.input('x', [2, 1, 4, 4]);
    b.add('c', conv2d(1, 1), ['x']);
    b.add('r', RELU_INPLACE, ['c']);
    b.add('d', conv2d(1, 1), ['r']);
    b.add('e', conv2d(1, 1), ['d']);
    const problem = createProblem(b.build(), 'pytorch');
    expect(compute(problem, cut(leaf(0, 3), leaf(3, 4)))).toBe('F1 F2 F3 F4 B4 F1 F2 B3 B2 B1');
    expect(compute(problem, leaf(0, 4, true))).toBe('F1 F2 F3 F4 B4 F1 F2 B3 F1 F2 B2 B1');
  });

  it('is legal for any nesting', () => {
    const rng = createRng(9);
    for (const [name, problem] of randomProblems(900, 44, 12)) {
      const { graph, memory } = problem;
      const order = Int32Array.from({ length: graph.size }, (_, v) => v);
      const root = anyNested(rng, 0, graph.size - 1);
      const schedule = multiLevelSchedule(graph, memory, order, root);
      expect(referenceSimulate(graph, memory, schedule).fault, name).toBe(-1);
    }
  });
});
