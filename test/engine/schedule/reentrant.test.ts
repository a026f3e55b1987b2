import { describe, expect, it } from 'vitest';
import { GraphBuilder } from '../../../engine/graph/builder.ts';
import { ADD, conv2d, FLATTEN, linear, RELU_INPLACE } from '../../../engine/ops/make.ts';
import { createProblem } from '../../../engine/problem.ts';
import { checkpointSegments } from '../../../engine/schedule/checkpoint-segments.ts';
import { reentrantSchedule } from '../../../engine/schedule/reentrant.ts';
import { BACKWARD, HOLD_GRADIENT } from '../../../engine/schedule/schedule.ts';
import { ScheduleError, simulate } from '../../../engine/simulate/simulate.ts';
import { STRATEGIES } from '../../../engine/strategies/registry.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import type { Problem } from '../../../engine/strategies/strategy.ts';
import { bytesChain, randomProblems } from '../../support/problems.ts';
import { between, createRng } from '../../support/rng.ts';
import { referenceSimulate } from '../../support/reference-simulator.ts';
import { drawn, steps } from '../../support/schedule-text.ts';

const MADE_OF_SEGMENTS = STRATEGIES.filter(({ reads }) => reads.checkpointing !== undefined);

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

  it('are complete schedules on random graphs of all kinds, for every strategy that is made of segments', () => {
    const applied = new Map<string, number>();
    let turn = 0;
    for (const [name, problem] of randomProblems(1500, 31, 14)) {
      const options = { seed: 3, checkpoints: [problem.graph.ids[1] ?? ''] };
      turn++;
      for (const { name: strategy } of MADE_OF_SEGMENTS) {
        // It draws for long on small graphs.
        if (strategy === 'random' && turn % 10 > 0) continue;
        const row = solveRow(problem, strategy, { ...options, checkpointing: 'reentrant' });
        if (row.schedule === null) continue;
        const label = `${strategy} on ${name}`;
        applied.set(strategy, (applied.get(strategy) ?? 0) + 1);
        expect(row.checkpointing, label).toBe('reentrant');
        const reference = referenceSimulate(problem.graph, problem.memory, row.schedule);
        expect(reference.fault, label).toBe(-1);
        expect(Math.max(...reference.live), label).toBe(row.peakBytes);
        const plain = solveRow(problem, strategy, options);
        expect(plain.checkpointing, label).toBe('non-reentrant');
        expect(plain.schedule?.kinds.includes(HOLD_GRADIENT), label).toBe(false);
        expect(row.paperCostBytes === null, label).toBe(plain.paperCostBytes === null);
      }
    }
    for (const { name } of MADE_OF_SEGMENTS) expect(applied.get(name) ?? 0, name).toBeGreaterThan(100);
  });

  it('keep to a given order', () => {
    for (const [name, { graph, ...problem }] of randomProblems(300, 33)) {
      const ordered: Problem = { ...problem, graph: { ...graph, keepsOrder: true } };
      const { schedule } = solveRow(ordered, 'optimal', { seed: 0, checkpointing: 'reentrant' });
      const backward = [...(schedule?.vertices ?? [])].filter((_, i) => schedule?.kinds[i] === BACKWARD);
      expect(backward, name).toEqual(Array.from({ length: graph.size - 1 }, (_, i) => graph.size - 1 - i));
    }
  });

  it('on a chain forward every segment twice that holds more than its end, and never peak lower than without reentrance', () => {
    const rng = createRng(35);
    for (let i = 0; i < 500; i++) {
      const cost = Array.from({ length: between(rng, 3, 12) }, () => between(rng, 1, 9));
      const problem = createProblem(bytesChain(cost), 'pytorch');
      const ids = problem.graph.ids.filter((_, v) => v > 0 && v < cost.length - 1 && rng.next() < 0.4);
      const options = { seed: 0, checkpoints: ids };
      const reentrant = solveRow(problem, 'manual', { ...options, checkpointing: 'reentrant' });
      const plain = solveRow(problem, 'manual', options);
      const ends = [0, ...ids.map((id) => problem.graph.ids.indexOf(id)), cost.length - 1];
      const lengths = ends.slice(1).map((end, s) => end - (ends[s] ?? 0));
      const again = lengths.filter((length) => length > 1).reduce((sum, length) => sum + length, 0);
      expect(reentrant.timeline?.recomputedVertices).toBe(again);
      expect(reentrant.peakBytes ?? 0).toBeGreaterThanOrEqual(plain.peakBytes ?? 0);
    }
  });

  it.each<[string, string, RegExp]>([
    ['a hold that is never freed', 'H2 F1 F2 B2 X2 B1 X1', /gradient of v2 is held and never freed/],
    ['a free without a hold', 'F1 F2 B2 X2 B1 X1 G1', /free-gradient v1\): its gradient is not held/],
    ['a hold after backward', 'F1 F2 B2 X2 H2 B1 X1 G2', /hold-gradient v2\): comes too late/],
    [
      'a hold of the source that comes late',
      'F1 F2 B2 X2 B1 H0 X1 G0',
      /comes too late: v1, which makes a part/,
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
