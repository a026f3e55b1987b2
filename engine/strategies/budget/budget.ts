import { BUDGET_NEEDED, budgetOf } from '../options.ts';
import { checkpointsOf } from '../search/candidate.ts';
import { READS_TIME_LIMIT, SearchLimit } from '../search/search-limit.ts';
import type { Strategy } from '../strategy/strategy.ts';
import { Planner } from '../planner/planner.ts';

/**
 * The least recompute that fits a byte budget, from the anytime planner (planner/planner.ts).
 *
 * - Source: Zigzag. Minimum cuts after the partitioner of PyTorch's compiler; nested segments after the
 *   heterogeneous Left/Right decomposition that article 002 describes; up to 2,000 vertices also plans that
 *   recompute repeatedly (search/repeated-recompute.ts).
 * - Guarantee: fits the budget, as the simulator judges. Up to 12 vertices the least recompute of all schedules, and
 *   the least budget exactly (exact/). Up to 64 the answer is taken from a list that depends on no budget
 *   (plan-list.ts), so that recompute never grows with the budget unless `chain-dp`, which rounds by the budget, or `dtr` finds
 *   less at the smaller one. At most the recompute of `live`, of nested segments (up to 400 vertices), and of every
 *   strategy that the planner asks (`asSource`) where these fit; refused is only what none of them fits.
 * - Time: that of the planner's sources until the limit; space O(V) for each plan of the front.
 * - Assumptions: none; every graph and every profile.
 * - Departures: the partitioner minimises what is saved under rules for what may be recomputed; here
 *   work has a price and the simulated peak decides.
 */
export const budget: Strategy = {
  name: 'budget',
  title: 'Budget',
  source: 'Zigzag; minimum cuts as in PyTorch’s partitioner, nested segments as in Bulatov’s article',
  cites: ['paszke2019pytorch', 'bulatov2018fitting'],
  guarantee:
    'fits the budget with no more recompute than any other strategy that fits, except milp, checkmate-rounding and reentrant segments',
  takeFor: 'the fastest training that fits a device',
  reads: { seed: 'takes', budgetBytes: 'needs', ...READS_TIME_LIMIT },
  scalesWithBatch: false,
  hasPaperCost: false,
  plan(problem, options, control) {
    const budgetBytes = budgetOf(options);
    if (budgetBytes === undefined) return { applicable: false, reason: BUDGET_NEEDED };
    const limit = new SearchLimit(options, control);
    const planner = new Planner(problem, limit, options.seed);
    const found = planner.within(budgetBytes);
    limit.tick(1);
    return {
      applicable: true,
      checkpoints: checkpointsOf(found.schedule, problem.graph.size),
      schedule: found.schedule,
      paperCostBytes: null,
      claim: found.claim,
      ...limit.ending,
    };
  },
};
