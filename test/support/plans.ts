import { InfeasibleError } from '../../engine/errors.ts';
import {
  NO_CONTROL,
  type Plan,
  type Problem,
  type Strategy,
  type StrategyOptions,
} from '../../engine/strategies/strategy/strategy.ts';

/** The plan of a strategy that applies. */
export function planOf(
  strategy: Strategy,
  problem: Problem,
  options: Partial<StrategyOptions> = {},
  control = NO_CONTROL,
): Plan {
  const plan = strategy.plan(problem, { seed: 1, ...options }, control);
  if (!plan.applicable) throw new Error(plan.reason);
  return plan;
}

/** Null where nothing fits; anything else that is thrown fails the test. */
export function orNull<Found>(found: () => Found): Found | null {
  try {
    return found();
  } catch (error) {
    if (error instanceof InfeasibleError) return null;
    throw error;
  }
}
