import { describe, expect, it } from 'vitest';
import { InfeasibleError } from '../../../../engine/errors.ts';
import { createProblem } from '../../../../engine/problem.ts';
import { solveRow } from '../../../../engine/strategies/solve.ts';
import { buildModel } from '../../../../engine/zoo/zoo.ts';

const at = (budgetBytes: number) => ({ seed: 1, budgetBytes });

describe('chain-dp on networks', () => {
  it('needs no recompute at the peak of regular training, and less the more it may hold', () => {
    for (const name of ['vgg16', 'resnet50']) {
      const problem = createProblem(buildModel(name, { batch: 1 }), 'pytorch');
      const regular = solveRow(problem, 'regular', { seed: 1 }).peakBytes ?? 0;
      // Sizes are rounded up: a little above the peak.
      expect(solveRow(problem, 'chain-dp', at(regular * 1.05)).recomputeFlops, name).toBe(0);
      let last = Number.POSITIVE_INFINITY;
      for (const share of [0.4, 0.5, 0.6, 0.8]) {
        const row = (() => {
          try {
            return solveRow(problem, 'chain-dp', at(Math.floor(regular * share)));
          } catch (error) {
            expect(error).toBeInstanceOf(InfeasibleError);
            return null;
          }
        })();
        if (row === null) continue;
        expect(row.peakBytes).toBeLessThanOrEqual(regular * share);
        expect(row.recomputeFlops).toBeLessThanOrEqual(last);
        last = row.recomputeFlops ?? last;
      }
      expect(last).toBeLessThan(Number.POSITIVE_INFINITY);
    }
  });

  it('recomputes less than the optimum of Eq. 2 at the same peak', () => {
    for (const name of ['vgg16', 'resnet50', 'densenet121']) {
      const problem = createProblem(buildModel(name, { batch: 1 }), 'pytorch');
      const optimal = solveRow(problem, 'optimal', { seed: 1 });
      const row = solveRow(problem, 'chain-dp', { seed: 1 });
      expect(row.peakBytes, name).toBeLessThanOrEqual(optimal.peakBytes ?? 0);
      expect(row.recomputeFlops, name).toBeLessThan(optimal.recomputeFlops ?? 0);
    }
  });
});
