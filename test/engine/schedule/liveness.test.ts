import { describe, expect, it } from 'vitest';
import { insertFrees } from '../../../engine/schedule/liveness.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
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

  it('keeps what backward uses and nobody forwards again', () => {
    const schedule = insertFrees(graph, memory, steps('F1 F2 F3 B3 F1 B2 B1'));
    expect(drawn(schedule)).toBe('F1 F2 X1 F3 B3 X3 F1 B2 X2 B1 X1');
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
