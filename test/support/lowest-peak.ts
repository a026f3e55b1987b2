import { type LowestPeak, lowestPeak } from '../../engine/strategies/live/lowest-peak.ts';
import { quickPlans } from '../../engine/strategies/planner/peer-plans.ts';
import type { SearchLimit } from '../../engine/strategies/search/search-limit.ts';
import type { Problem } from '../../engine/strategies/strategy/strategy.ts';

/** The search of `live`, never shared, beside the plans of the strategies that take no budget. */
export function lowestOf(problem: Problem, search: SearchLimit): LowestPeak {
  return lowestPeak({ ...problem }, search, () => quickPlans(problem, 1, search));
}
