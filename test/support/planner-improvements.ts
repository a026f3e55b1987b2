import { Planner } from '../../engine/strategies/planner/planner.ts';
import type { Candidate } from '../../engine/strategies/search/candidate.ts';
import { SearchLimit } from '../../engine/strategies/search/search-limit.ts';
import { NO_CONTROL, type Problem } from '../../engine/strategies/strategy/strategy.ts';
import { orNull } from './plans.ts';

/** Seconds of the processor. */
export const now = (): number => process.cpuUsage().user / 1e6;

/** Plan better than any before it, after so many seconds. */
export interface Improvement {
  readonly seconds: number;
  readonly plan: Candidate;
  /** Per cent of a forward. */
  readonly recompute: number;
}

/** Each improvement within a budget, and the seconds of the whole search; none where the budget is refused. */
export function improvements(
  problem: Problem,
  budget: number,
): { readonly found: readonly Improvement[]; readonly seconds: number } {
  const found: Improvement[] = [];
  const start = now();
  const planner = new Planner(problem, new SearchLimit({}, NO_CONTROL), 0, (front) => {
    const plan = front.within(budget);
    if (plan === null) return;
    const recompute = (100 * plan.recomputeWork) / front.forwardWork;
    if (recompute < (found.at(-1)?.recompute ?? Number.POSITIVE_INFINITY))
      found.push({ seconds: now() - start, plan, recompute });
  });
  orNull(() => planner.within(budget));
  return { found, seconds: now() - start };
}
