import { simulateTotals } from '../../simulate/simulate.ts';
import { optimal } from './optimal.ts';
import type { Control, Problem, StrategyOptions } from '../strategy/strategy.ts';

/** Default budget in bytes, for comparison with `optimal`; infinite where that has no plan. */
export function peakOfOptimal(
  problem: Problem,
  { seed }: Pick<StrategyOptions, 'seed'>,
  control: Control,
): number {
  const plan = optimal.plan(problem, { seed }, control);
  if (!plan.applicable) return Number.POSITIVE_INFINITY;
  return simulateTotals(problem.graph, problem.memory, plan.schedule).peakBytes;
}
