import { describe, expect, it } from 'vitest';
import { insertFrees } from '../../../engine/schedule/liveness.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
import { measuredProblem } from '../../support/measured-graphs.ts';
import { bytesProblem, randomProblems } from '../../support/problems.ts';
import { randomSchedule } from '../../support/random-schedules.ts';
import { createRng } from '../../support/rng.ts';
import { drawn, steps } from '../../support/schedule-text.ts';

describe('insertFrees', () => {
  const { graph, memory } = bytesProblem([1, 1, 1, 1], '0>1 1>2 2>3');

  it('frees each activation after its last use and never the source', () => {
    const schedule = insertFrees(graph, memory, steps('F1 F2 F3 B3 B2 B1'));
    expect(drawn(schedule)).toBe('F1 F2 F3 B3 X3 B2 X2 B1 X1');
  });

  it('frees before a recompute what was used before it', () => {
    const schedule = insertFrees(graph, memory, steps('F1 F2 F3 F1 F2 F3 B3 B2 B1'));
    expect(drawn(schedule)).toBe('F1 F2 X1 F3 X2 X3 F1 F2 F3 B3 X3 B2 X2 B1 X1');
  });

  it('keeps tensors that backward uses and no step recomputes', () => {
    const schedule = insertFrees(graph, memory, steps('F1 F2 F3 B3 F1 B2 B1'));
    expect(drawn(schedule)).toBe('F1 F2 X1 F3 B3 X3 F1 B2 X2 B1 X1');
  });

  it('frees a view and an auxiliary like an activation, and never what an operation in place took', () => {
    const none = { inputs: [], output: false, auxBytes: 0, fixedAuxBytes: 0 };
    const problem = measuredProblem([
      { bytes: 1, flops: 0, inputs: [] },
      { bytes: 2, flops: 0, inputs: [0], keeps: { ...none, auxBytes: 1 } },
      { bytes: 2, flops: 0, inputs: [1], keeps: none, alias: 'inplace' },
      { bytes: 2, flops: 0, inputs: [2], keeps: none, alias: 'view' },
      { bytes: 2, flops: 0, inputs: [3], keeps: { ...none, output: true } },
    ]);
    const free = (text: string): string => drawn(insertFrees(problem.graph, problem.memory, steps(text)));
    expect(free('F1 F2 F3 F4 B4 B3 B2 B1')).toBe('F1 F2 F3 X2 F4 X3 B4 X4 B3 B2 B1');
    // The first of two auxiliaries is not used; a value without readers is freed at once.
    expect(free('F1 F2 F3 F4 B4 B3 B2 F1 B1')).toBe('F1 A1 F2 F3 X2 F4 X3 B4 X4 B3 B2 F1 X1 B1');
    // Overwritten or not, v1 is another value once it is recomputed.
    expect(free('F1 F2 F3 F4 F1 F2 B4 B3 B2 B1')).toBe('F1 A1 F2 F3 X2 F4 X3 F1 F2 X2 B4 X4 B3 B2 B1');
  });

  it('frees after a step with a declared use, and keeps steps of other kinds in place', () => {
    const compute = steps('F1 F2 F3 H3 B3 B2 B1 G3');
    const used = new Map([
      [4, [2, 0]],
      [7, [3, 1]],
    ]);
    expect(drawn(insertFrees(graph, memory, compute, used))).toBe('F1 F2 F3 H3 B3 B2 X2 B1 G3 X1 X3');
    expect(drawn(insertFrees(graph, memory, compute))).toBe('F1 F2 F3 H3 B3 X3 B2 X2 B1 X1 G3');
  });

  it('[M19] frees after a send a tensor unused until its fetch', () => {
    const free = (text: string): string => drawn(insertFrees(graph, memory, steps(text)));
    expect(free('F1 S1 F2 F3 B3 R1 B2 B1')).toBe('F1 S1 F2 X1 F3 B3 X3 R1 B2 X2 B1 X1');
    expect(free('F1 F2 S1 F3 R1 B3 B2 R1 B1')).toBe('F1 F2 S1 X1 F3 R1 B3 X3 B2 X1 X2 R1 B1 X1');
    // Fetched for nothing, it goes at once.
    expect(free('F1 F2 S1 F3 R1 F1 B3 B2 B1')).toBe('F1 F2 S1 X1 F3 R1 X1 F1 B3 X3 B2 X2 B1 X1');
  });

  it('leaves no step at which an earlier free would be accepted', () => {
    const rng = createRng(5);
    for (const [name, problem] of randomProblems(120, 31, 8)) {
      const schedule = randomSchedule(rng, problem);
      for (let t = 1; t < schedule.kinds.length; t++) {
        // Another free in between is no obstacle worth a test.
        if ((schedule.kinds[t] ?? 0) < 2 || (schedule.kinds[t - 1] ?? 0) >= 2) continue;
        const kinds = schedule.kinds.slice();
        const vertices = schedule.vertices.slice();
        [kinds[t], kinds[t - 1]] = [kinds[t - 1] ?? 0, kinds[t] ?? 0];
        [vertices[t], vertices[t - 1]] = [vertices[t - 1] ?? 0, vertices[t] ?? 0];
        const earlier = (): unknown => simulate(problem.graph, problem.memory, { kinds, vertices });
        expect(earlier, `${name}, step ${t}`).toThrow();
      }
    }
  });
});
