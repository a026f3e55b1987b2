import { describe, expect, it } from 'vitest';
import { createProblem } from '../../../engine/problem.ts';
import { FORWARD } from '../../../engine/schedule/schedule.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { isExpensive } from '../../../engine/strategies/speed.ts';
import { buildModel, MODELS } from '../../../engine/zoo/zoo.ts';

describe('speed on networks', () => {
  it.each(MODELS.map(({ name }) => name))('%s: no convolution or matrix product runs twice', (name) => {
    for (const profile of ['pytorch', 'tfjs'] as const) {
      const problem = createProblem(buildModel(name, { batch: 1 }), profile);
      const { schedule, applicable } = solveRow(problem, 'speed', { seed: 0 });
      expect(applicable).toBe(true);
      const forwards = new Int32Array(problem.graph.size);
      schedule?.vertices.forEach((v, i) => {
        if (schedule.kinds[i] === FORWARD) forwards[v]!++;
      });
      expect(Math.max(...forwards)).toBeLessThanOrEqual(2);
      for (let v = 1; v < problem.graph.size; v++) {
        if (isExpensive(problem.graph, v)) expect(forwards[v], problem.graph.ids[v]).toBe(1);
      }
    }
  });
});
