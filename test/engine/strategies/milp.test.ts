import { beforeAll, describe, expect, it } from 'vitest';
import { CancelledError, InfeasibleError } from '../../../engine/errors.ts';
import type { MilpSolver } from '../../../engine/strategies/milp/milp-solver.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { createHighsSolver } from '../../../app/bridges/highs.ts';
import { ExhaustiveSchedules } from '../../../engine/bounds/exhaustive-schedules.ts';
import { fewest } from '../../support/draws.ts';
import { bytesProblem, randomProblems } from '../../support/problems.ts';
import { CANCELLED } from '../../support/search-limits.ts';

let milpSolver: MilpSolver;
beforeAll(async () => {
  milpSolver = await createHighsSolver();
});

describe('milp', () => {
  it('equals a search over all schedules: lowest peak, least recompute at it and within budgets', () => {
    let hard = 0;
    for (const [name, problem] of randomProblems(45, 71, 7)) {
      if (problem.graph.size > 9) continue;
      const search = new ExhaustiveSchedules(problem);
      const row = solveRow(problem, 'milp', { seed: 1, milpSolver });
      const peak = search.lowestPeak();
      expect(row.peakBytes, name).toBe(peak);
      expect(row.recomputeFlops, name).toBe(search.leastRecompute(peak));
      if (row.recomputeFlops === 0) continue;
      hard++;
      const regularPeak = solveRow(problem, 'regular', { seed: 1 }).peakBytes ?? 0;
      const budgetBytes = Math.floor((peak + regularPeak) / 2);
      const within = solveRow(problem, 'milp', { seed: 1, milpSolver, budgetBytes });
      expect(within.recomputeFlops, name).toBe(search.leastRecompute(budgetBytes));
      expect(within.peakBytes, name).toBeLessThanOrEqual(budgetBytes);
      if (peak <= 1) continue;
      const tooLittle = (): unknown =>
        solveRow(problem, 'milp', { seed: 1, milpSolver, budgetBytes: peak - 1 });
      expect(tooLittle, name).toThrow(InfeasibleError);
    }
    expect(hard).toBeGreaterThanOrEqual(fewest(13));
  });

  const chain = bytesProblem(
    new Array<number>(20).fill(4),
    Array.from({ length: 19 }, (_, i) => `${i}>${i + 1}`).join(' '),
  );

  it('can be cancelled', () => {
    expect(() => solveRow(chain, 'milp', { seed: 1, milpSolver, budgetBytes: 40 }, CANCELLED)).toThrow(
      CancelledError,
    );
    let ticks = 0;
    const later = {
      tick: () => {
        if (++ticks > 30) throw new CancelledError();
      },
    };
    expect(() => solveRow(chain, 'milp', { seed: 1, milpSolver, budgetBytes: 30 }, later)).toThrow(
      CancelledError,
    );
    // The solver is whole afterwards.
    expect(solveRow(bytesProblem([1, 2, 1], '0>1 1>2'), 'milp', { seed: 1, milpSolver }).applicable).toBe(
      true,
    );
  });
});
