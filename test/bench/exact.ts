import { createHighsSolver } from '../../app/bridges/highs.ts';
import { claimText } from '../../app/report/claims.ts';
import { InfeasibleError } from '../../engine/errors.ts';
import { createProblem } from '../../engine/problem.ts';
import { solveRow, type SolvedStrategy } from '../../engine/strategies/solve.ts';
import type { Problem, StrategyOptions } from '../../engine/strategies/strategy.ts';
import { buildModel } from '../../engine/zoo/zoo.ts';

/**
 * How far `budget` is from exact: its recompute beside that of `milp` on networks small enough for it,
 * at budgets between the peak of regular training and the lowest that `live` finds.
 */
const NETWORKS = ['alexnet', 'vgg11', 'tiny-dropout', 'tiny-residual', 'chain-16'];
const SHARES = [0.75, 0.5, 0.25, 0];
const SECONDS = 20;

const milpSolver = await createHighsSolver();

function attempt(problem: Problem, name: string, options: StrategyOptions): SolvedStrategy | null {
  try {
    const row = solveRow(problem, name, options);
    return row.applicable ? row : null;
  } catch (error) {
    if (error instanceof InfeasibleError) return null;
    throw error;
  }
}

function percent(row: SolvedStrategy | null): string {
  return row === null ? '-' : ((row.recomputeFraction ?? 0) * 100).toFixed(2);
}

console.log(
  'network        budget bytes   budget recompute %   milp recompute %   gap (points)   milp ms   claim',
);
for (const name of NETWORKS) {
  const problem = createProblem(buildModel(name, { batch: 4 }), 'pytorch');
  const most = solveRow(problem, 'regular', { seed: 0 }).peakBytes ?? 0;
  const least = solveRow(problem, 'live', { seed: 0 }).peakBytes ?? 0;
  for (const share of SHARES) {
    const budgetBytes = Math.round(least + share * (most - least));
    const budget = attempt(problem, 'budget', { seed: 0, budgetBytes });
    const start = performance.now();
    const milp = attempt(problem, 'milp', { seed: 0, budgetBytes, milpSolver, timeLimitSeconds: SECONDS });
    const ms = performance.now() - start;
    const gap =
      budget === null || milp === null
        ? '-'
        : (((budget.recomputeFraction ?? 0) - (milp.recomputeFraction ?? 0)) * 100).toFixed(2);
    console.log(
      [
        name.padEnd(14),
        String(budgetBytes).padStart(12),
        percent(budget).padStart(20),
        percent(milp).padStart(18),
        gap.padStart(14),
        ms.toFixed(0).padStart(9),
        `  ${((milp && claimText(milp)) ?? 'not solved').slice(0, 80)}`,
      ].join(' '),
    );
  }
}
