import { describe, expect, it } from 'vitest';
import { InfeasibleError } from '../../../engine/errors.ts';
import { createProblem } from '../../../engine/problem.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { ExhaustiveSchedules } from '../../../engine/bounds/exhaustive-schedules.ts';
import { bytesChain } from '../../support/problems.ts';
import { between, createRng } from '../../support/rng.ts';

const at = (budgetBytes: number) => ({ seed: 1, budgetBytes });

describe('chain-dp', () => {
  it('[article 002] recomputes as little as any schedule within a budget, on most short chains', () => {
    const rng = createRng(12);
    let equal = 0;
    let tried = 0;
    for (let run = 0; run < 60; run++) {
      const cost = Array.from({ length: between(rng, 4, 8) }, () => between(rng, 1, 9));
      const problem = createProblem(bytesChain(cost), 'pytorch');
      const search = new ExhaustiveSchedules(problem);
      const lowest = search.lowestPeak();
      const highest = solveRow(problem, 'regular', { seed: 1 }).peakBytes ?? 0;
      for (const budget of [lowest, Math.floor((lowest + highest) / 2), highest]) {
        try {
          const row = solveRow(problem, 'chain-dp', at(budget));
          const least = search.leastRecompute(budget);
          expect(row.peakBytes).toBeLessThanOrEqual(budget);
          expect(row.recomputeFlops).toBeGreaterThanOrEqual(least);
          tried++;
          if (row.recomputeFlops === least) equal++;
        } catch (error) {
          expect(error).toBeInstanceOf(InfeasibleError);
        }
      }
    }
    expect(tried).toBeGreaterThan(150);
    expect(equal / tried).toBeGreaterThan(0.9);
  });

  it('says the least that it reaches', () => {
    const problem = createProblem(bytesChain([1, 2, 3, 4, 5]), 'pytorch');
    expect(() => solveRow(problem, 'chain-dp', at(5))).toThrow(
      'chain-dp cannot fit 5 bytes; the least it reaches is 19 bytes',
    );
  });
});
