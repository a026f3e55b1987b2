import { expect, it } from 'vitest';
import { createProblem } from '../../../../engine/problem.ts';
import { solveRow } from '../../../../engine/strategies/solve.ts';
import { buildModel } from '../../../../engine/zoo/zoo.ts';

it('chain-dp on networks recomputes less than the optimum of Eq. 2 at the same peak', () => {
  for (const name of ['vgg16', 'resnet50', 'densenet121']) {
    const problem = createProblem(buildModel(name, { batch: 1 }), 'pytorch');
    const optimal = solveRow(problem, 'optimal', { seed: 1 });
    const row = solveRow(problem, 'chain-dp', { seed: 1 });
    expect(row.peakBytes, name).toBeLessThanOrEqual(optimal.peakBytes ?? 0);
    expect(row.recomputeFlops, name).toBeLessThan(optimal.recomputeFlops ?? 0);
  }
});
