import { describe, expect, it } from 'vitest';
import { GraphBuilder } from '../../../engine/graph/builder.ts';
import { batchNorm, conv2d, maxPool, RELU_INPLACE } from '../../../engine/ops/make.ts';
import { createProblem } from '../../../engine/problem.ts';
import { type OneLevelPlan, oneLevelCompute, oneLevelSchedule } from '../../../engine/schedule/one-level.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
import type { Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { bytesProblem, randomProblems } from '../../support/problems.ts';
import { between, chance, createRng } from '../../support/rng.ts';
import { drawn } from '../../support/schedule-text.ts';

function plan(problem: Problem, segments: number[][], kept: number[], recomputeLast = true): OneLevelPlan {
  const flags = new Uint8Array(problem.graph.size);
  for (const v of kept) flags[v] = 1;
  return { segments, kept: flags, recomputeLast };
}
const draw = (problem: Problem, p: OneLevelPlan): string =>
  drawn(oneLevelSchedule(problem.graph, problem.memory, p));

describe('oneLevelSchedule', () => {
  //  v0 -> v1 -> v2 -> v3 -> v4, cut at v2
  const chain = bytesProblem([1, 1, 1, 1, 1], '0>1 1>2 2>3 3>4');

  it('recomputes segment by segment from the last', () => {
    const p = plan(
      chain,
      [
        [1, 2],
        [3, 4],
      ],
      [2],
    );
    expect(draw(chain, p)).toBe('F1 F2 X1 F3 F4 X3 X4 F3 F4 B4 X4 B3 X3 F1 B2 X2 B1 X1');
  });

  it('goes straight into backward if the last segment stays', () => {
    const p = plan(
      chain,
      [
        [1, 2],
        [3, 4],
      ],
      [2],
      false,
    );
    expect(draw(chain, p)).toBe('F1 F2 X1 F3 F4 B4 X4 B3 X3 F1 B2 X2 B1 X1');
  });

  it('recomputes through as many inputs as it takes', () => {
    const p = plan(chain, [[1], [2], [3, 4]], [], false);
    expect(draw(chain, p)).toBe('F1 F2 X1 F3 X2 F4 F1 F2 B4 X4 B3 X3 B2 X2 B1 X1');
  });

  it('keeps what it recomputed for earlier segments', () => {
    const p = plan(chain, [[1], [2, 3], [4]], []);
    expect(drawn(oneLevelCompute(chain.graph, chain.memory, p))).toBe('F1 F2 F3 F4 F1 F2 F3 F4 B4 B3 B2 B1');
  });

  it('recomputes operations with growing auxiliaries, and keeps fixed ones', () => {
    const b = new GraphBuilder('auxiliaries');
    b.input('x', [1, 1, 4, 4]);
    b.add('n', batchNorm(), ['x']);
    b.add('p', maxPool(2), ['n']);
    b.add('c', conv2d(1, 1), ['p']);
    const problem = createProblem(b.build(), 'pytorch');
    // p is kept, yet its indices are not: n and p run again. The statistics of n come from the second run.
    expect(draw(problem, plan(problem, [[1, 2], [3]], [2], false))).toBe(
      'F1 A1 F2 A2 X1 F3 X3 B3 X2 F1 F2 X2 B2 X1 B1',
    );
    // n is kept: its statistics stay from the first forward.
    expect(draw(problem, plan(problem, [[1], [2, 3]], [1], false))).toBe('F1 F2 F3 X3 B3 X2 B2 X1 B1');
  });

  it('recomputes the input of an in-place operation with it', () => {
    const b = new GraphBuilder('in place');
    b.input('x', [1, 1, 4, 4]);
    b.add('c', conv2d(1, 1), ['x']);
    b.add('r', RELU_INPLACE, ['c']);
    b.add('d', conv2d(1, 1), ['r']);
    const problem = createProblem(b.build(), 'pytorch');
    expect(draw(problem, plan(problem, [[1, 2], [3]], [], false))).toBe('F1 F2 F3 X2 X3 F1 F2 B3 B2 X2 B1');
  });

  it('gives a schedule that the simulator accepts for any segments and any kept set', () => {
    const rng = createRng(9);
    for (const [name, problem] of randomProblems(1500, 41)) {
      const segments: number[][] = [[]];
      for (let v = 1; v < problem.graph.size; v++) {
        if (chance(rng, 0.3)) segments.push([]);
        segments.at(-1)?.push(v);
      }
      const kept = Array.from({ length: between(rng, 0, 4) }, () => between(rng, 1, problem.graph.size - 1));
      const flags = { recomputeLast: chance(rng, 0.5) };
      const schedule = oneLevelSchedule(problem.graph, problem.memory, {
        ...plan(problem, segments, kept),
        ...flags,
      });
      expect(() => simulate(problem.graph, problem.memory, schedule), name).not.toThrow();
    }
  });
});
