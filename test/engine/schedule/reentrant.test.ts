import { describe, expect, it } from 'vitest';
import { GraphBuilder } from '../../../engine/graph/builder.ts';
import { ADD, conv2d, FLATTEN, linear, RELU_INPLACE } from '../../../engine/ops/make.ts';
import { createProblem } from '../../../engine/problem.ts';
import { checkpointSegments } from '../../../engine/schedule/checkpoint-segments.ts';
import { reentrantSchedule } from '../../../engine/schedule/reentrant.ts';
import { FORWARD } from '../../../engine/schedule/schedule.ts';
import { ScheduleError, simulate } from '../../../engine/simulate/simulate.ts';
import type { Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { bytesChain, randomProblems } from '../../support/problems.ts';
import { createRng } from '../../support/rng.ts';
import { referenceSimulate } from '../../support/reference-simulator.ts';
import { drawn, steps } from '../../support/schedule-text.ts';

function planOn({ graph, memory }: Problem, segments: readonly (readonly number[])[], recomputeLast = true) {
  const plan = { segments, kept: new Uint8Array(graph.size), recomputeLast };
  return reentrantSchedule(graph, memory, plan);
}

describe('reentrant segments', () => {
  it('[M14] [M15] [M16] forward a segment again as a whole and hold its ends until its backward has ended', () => {
    const problem = createProblem(bytesChain([1, 1, 1, 1, 1]), 'pytorch');
    expect(
      drawn(
        planOn(problem, [
          [1, 2],
          [3, 4],
        ]),
        'FBHG',
      ),
    ).toBe('F1 F2 F3 F4 H0 F3 F4 H4 B4 B3 G4 F1 F2 H2 B2 B1 G2 G0');
    const whole = drawn(
      planOn(problem, [
        [1, 2],
        [3, 4],
      ]),
    );
    // The checkpoint 2, given to the second segment, and the output 4 outlive the last use of either.
    expect(whole).toContain('B3 X3 G4 X2 X4 F1');
    expect(whole).toMatch(/^F1 F2 X1 F3 F4 X3 X4 H0 /);
  });

  it('[M17] run a last segment that is not recomputed as without checkpointing', () => {
    const problem = createProblem(bytesChain([1, 1, 1, 1, 1]), 'pytorch');
    const text = drawn(
      planOn(
        problem,
        [
          [1, 2],
          [3, 4],
        ],
        false,
      ),
      'FBHG',
    );
    expect(text).toBe('F1 F2 F3 F4 H0 B4 B3 F1 F2 H2 B2 B1 G2 G0');
  });

  it('[M17] join what overwrites an input of its own to what made that input', () => {
    const b = new GraphBuilder('in place');
    const x = b.input('x', [1, 2, 4, 4]);
    const relu = b.add('relu', RELU_INPLACE, [b.add('conv', conv2d(2, 3, { padding: 1 }), [x])]);
    b.add('fc', linear(2), [b.add('flat', FLATTEN, [relu])]);
    const problem = createProblem(b.build(), 'pytorch');
    expect(drawn(planOn(problem, [[1], [2, 3], [4]]), 'FBHG')).toBe(
      'F1 F2 F3 F4 H0 F4 H4 B4 G4 F1 F2 F3 H3 B3 B2 B1 G3 G0',
    );
  });

  it('[M17] leave outside of the segments what joins them and what lies alone between two checkpoints: it runs once', () => {
    const b = new GraphBuilder('a block');
    const stem = b.add('stem', conv2d(2, 3, { padding: 1 }), [b.input('x', [1, 2, 4, 4])]);
    const [left, right] = ['left', 'right'].map((side) => {
      const inner = b.add(`${side}.1`, conv2d(2, 3, { padding: 1 }), [stem]);
      return b.add(`${side}.2`, conv2d(2, 3, { padding: 1 }), [inner]);
    });
    const sum = b.add('sum', ADD, [left ?? 0, right ?? 0]);
    b.add('fc', linear(2), [b.add('flat', FLATTEN, [sum], 'join')]);
    const { graph, memory, view } = createProblem(b.build(), 'pytorch');
    const tensors = ['stem', 'sum'].map((id) => view.tensorOf[graph.ids.indexOf(id)] ?? 0);
    const plan = checkpointSegments(graph, memory, view, tensors);
    const text = drawn(reentrantSchedule(graph, memory, plan), 'F').split(' ');
    const times = (id: string): number => text.filter((step) => step === `F${graph.ids.indexOf(id)}`).length;
    expect(['stem', 'left.1', 'left.2', 'right.2', 'sum', 'fc'].map(times)).toEqual([1, 2, 2, 2, 1, 1]);
  });

  it('are complete schedules on random graphs of all kinds, whatever the checkpoints', () => {
    const rng = createRng(32);
    for (const [name, problem] of randomProblems(400, 34, 14)) {
      const { graph, memory, view } = problem;
      const checkpoints = Array.from(view.representative.keys()).filter(() => rng.next() < 0.4);
      const plan = {
        ...checkpointSegments(graph, memory, view, checkpoints),
        recomputeLast: rng.next() < 0.5,
      };
      const schedule = reentrantSchedule(graph, memory, plan);
      const reference = referenceSimulate(graph, memory, schedule);
      expect(reference.fault, name).toBe(-1);
      // A segment runs again as a whole and only once; no vertex of a joining one does.
      const times = new Int32Array(graph.size);
      schedule.kinds.forEach((kind, t) => {
        if (kind === FORWARD) times[schedule.vertices[t]!]!++;
      });
      const plain = new Uint8Array(plan.joins ?? []);
      if (!plan.recomputeLast) for (const v of plan.segments.at(-1) ?? []) plain[v] = 1;
      for (let v = 1; v < graph.size; v++) {
        expect(times[v], name).toBeLessThanOrEqual(2);
        if (plain[v] !== 1) expect(times[v], name).toBe(2);
      }
    }
  });

  it.each<[string, string, RegExp]>([
    ['a hold that is never freed', 'H2 F1 F2 B2 X2 B1 X1', /gradient of v2 is held and never freed/],
    ['a free without a hold', 'F1 F2 B2 X2 B1 X1 G1', /free-gradient v1\): its gradient is not held/],
    ['a hold after backward', 'F1 F2 B2 X2 H2 B1 X1 G2', /hold-gradient v2\): comes too late/],
    [
      'a hold of the source that comes late',
      'F1 F2 B2 X2 B1 H0 X1 G0',
      /comes too late: v1, which contributes to it/,
    ],
    ['a second hold', 'F1 F2 H2 H2 B2 X2 B1 X1 G2', /already held/],
    ['a free before backward', 'F1 F2 H1 G1 B2 X2 B1 X1', /comes too early/],
  ])('[M12] [M13] refuse %s', (_what, drawing, sentence) => {
    const { graph, memory } = createProblem(bytesChain([1, 2, 3]), 'pytorch');
    expect(() => simulate(graph, memory, steps(drawing))).toThrow(ScheduleError);
    expect(() => simulate(graph, memory, steps(drawing))).toThrow(sentence);
  });

  it('[M12] count a held gradient until it is freed, and that of the source', () => {
    const { graph, memory } = createProblem(bytesChain([1, 2, 3]), 'pytorch');
    const { gradients } = simulate(graph, memory, steps('F1 F2 H0 H2 B2 X2 B1 G2 X1 G0'));
    expect([...gradients]).toEqual([0, 0, 0, 0, 5, 5, 6, 1, 1, 0]);
  });
});
