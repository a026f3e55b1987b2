import { describe, expect, it } from 'vitest';
import { GraphBuilder } from '../../../engine/graph/builder.ts';
import { ADD_INPLACE, batchNorm, conv2d, RELU_INPLACE } from '../../../engine/ops/make.ts';
import { createProblem } from '../../../engine/problem.ts';
import { FORWARD } from '../../../engine/schedule/schedule.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import type { Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { randomProblems, FORK, RIGID } from '../../support/problems.ts';
import { chance, createRng } from '../../support/rng.ts';
import { drawn } from '../../support/schedule-text.ts';

const choose = (problem: Problem, strategy: string, checkpoints?: string[]) =>
  solveRow(problem, strategy, checkpoints === undefined ? { seed: 1 } : { seed: 1, checkpoints });

describe('manual', () => {
  it('takes the given checkpoints, in any order, source and target for free', () => {
    const row = choose(FORK, 'manual', ['v4', 'v1', 'v6', 'v0']);
    expect(row).toMatchObject({ applicable: true, checkpoints: ['v1', 'v4'], paperCostBytes: 2 + 3 });
  });

  it('takes sets that cut no independent segments, which Eq. 2 does not price and the simulator does', () => {
    expect(choose(RIGID, 'manual', ['v1'])).toMatchObject({
      applicable: true,
      checkpoints: ['v1'],
      paperCostBytes: null,
      recomputeFraction: 1 / 3,
    });
    // v1 closes a lower set: v2 and v3 need it, so they come after it. The target is kept too.
    const { schedule } = choose(RIGID, 'manual', ['v1']);
    expect(schedule !== null && drawn(schedule)).toBe('F1 F2 F3 X2 F2 B3 X3 B2 X2 B1 X1');
    expect(choose(FORK, 'manual', ['v2'])).toMatchObject({ applicable: true, checkpoints: ['v2'] });
  });

  it('executes any set, recomputes no tensor twice, and keeps what was asked for', () => {
    const rng = createRng(12);
    for (const [name, problem] of randomProblems(600, 82, 14)) {
      const { graph, memory, view } = problem;
      const ids = graph.ids.filter((_, v) => {
        const tensor = view.tensorOf[v] ?? -1;
        const kept = tensor >= 0 ? view.representative[tensor] : v;
        return !memory.takesOver.includes(kept ?? v) && chance(rng, 0.4);
      });
      // The simulator, inside, refuses what cannot be executed.
      const { applicable, reason, schedule, checkpoints } = choose(problem, 'manual', ids);
      expect({ name, applicable, reason }).toEqual({ name, applicable: true, reason: null });
      if (schedule === null) continue;
      const forwards = new Int32Array(graph.size);
      schedule.kinds.forEach((kind, i) => {
        if (kind === FORWARD) forwards[schedule.vertices[i]!]!++;
      });
      expect(Math.max(...forwards), name).toBeLessThanOrEqual(2);
      for (const id of checkpoints) {
        const v = graph.ids.indexOf(id);
        const isFree = (memory.auxBytes[v] ?? 0) === 0 || memory.auxIsFixed[v] === 1;
        // Auxiliaries that the forward keeps beside an activation come from running it again.
        if (isFree) expect(forwards[v], `${name} ${id}`).toBe(1);
      }
    }
  });

  it('002: cuts two towers at a, b, c, d, where no single vertex does, whether or not they read each other', () => {
    const problem = createProblem(buildModel('two-towers', { batch: 1 }), 'pytorch');
    const ids = ['a', 'b', 'c', 'd'];
    expect(choose(problem, 'articulation').reason).toMatch(/^no splitting vertex/);
    // Tensors are equal, so that the figures are numbers of tensors.
    const [tensor = 0] = problem.graph.bytes;
    const row = choose(problem, 'manual', ids);
    expect(row.checkpoints).toEqual(ids);
    expect([row.peakBytes, row.paperCostBytes].map((bytes) => (bytes ?? 0) / tensor)).toEqual([11, 8]);
    expect(choose(problem, 'regular').peakBytes).toBe(30 * tensor);
    expect(choose(problem, 'optimal').checkpoints).toEqual(ids);

    const crossed = createProblem(buildModel('two-towers-crossed', { batch: 1 }), 'pytorch');
    const cut = choose(crossed, 'manual', ids);
    expect(cut).toMatchObject({ checkpoints: ids, paperCostBytes: null, peakBytes: 14 * tensor });
  });

  it('names the nearest vertices for one that does not exist', () => {
    expect(() => choose(FORK, 'manual', ['v1', 'v44'])).toThrow(
      'checkpoints[1]: no vertex is named "v44"; did you mean v4',
    );
  });

  it('is not applicable without checkpoints', () => {
    expect(choose(FORK, 'manual').reason).toBe('no checkpoints were given');
  });

  it('lets any operation stand for the tensor it shares, and refuses one that is overwritten', () => {
    const b = new GraphBuilder('residual');
    b.input('x', [1, 1, 4, 4]);
    const stem = b.add('stem.relu', RELU_INPLACE, [b.add('stem', conv2d(1, 1), ['x'])], 'join');
    const branch = b.add('norm', batchNorm(), [b.add('conv', conv2d(1, 1), [stem])], 'edge');
    b.add('out', conv2d(1, 1), [b.add('sum', ADD_INPLACE, [branch, stem])]);
    const problem = createProblem(b.build(), 'pytorch');
    expect(choose(problem, 'manual', ['stem']).checkpoints).toEqual(['stem.relu']);
    expect(choose(problem, 'manual', ['norm']).reason).toBe(
      'norm cannot be kept because sum overwrites it: name that vertex',
    );
    // Under the trainer's profile nothing is overwritten, and what lies on an edge can be kept.
    const trained = createProblem(problem.graph, 'tfjs');
    expect(choose(trained, 'manual', ['norm'])).toMatchObject({
      checkpoints: ['norm'],
      paperCostBytes: null,
    });
  });
});
