import { expect, it } from 'vitest';
import { createProblem } from '../../../engine/problem.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { isExpensive } from '../../../engine/strategies/speed.ts';
import { buildModel, MODELS } from '../../../engine/zoo/zoo.ts';
import { recomputed } from '../../support/schedule-text.ts';

it.each(MODELS.map(({ name }) => name))(
  'speed on networks %s: no convolution or matrix product runs twice',
  (name) => {
    for (const profile of ['pytorch', 'tfjs'] as const) {
      const problem = createProblem(buildModel(name, { batch: 1 }), profile);
      const { schedule, applicable } = solveRow(problem, 'speed', { seed: 0 });
      expect(applicable).toBe(true);
      const again = recomputed(schedule!);
      expect(new Set(again).size).toBe(again.length);
      expect(again.filter((v) => isExpensive(problem.graph, v))).toEqual([]);
    }
  },
);
