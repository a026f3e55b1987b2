import { BadInputError } from '../../errors.ts';
import { checkpointsOf } from '../search/candidate.ts';
import { SearchLimit } from '../search/search-limit.ts';
import type { Strategy } from '../strategy/strategy.ts';
import { LeastWork } from './least-work.ts';
import { movesWithin } from '../search/annealing-effort.ts';

/**
 * The least recompute that fits a byte budget.
 *
 * - Source: Zigzag. Minimum cuts after the partitioner of PyTorch's compiler; nested segments after the
 *   heterogeneous Left/Right decomposition that article 002 describes; from 13 to 2,000 vertices also schedules that
 *   forget between parts of backward (search/repeated-recompute.ts).
 * - Guarantee: fits the budget, as the simulator judges. Up to 12 vertices the least recompute of all schedules, and
 *   the least budget exactly (exact/). Up to 64 the answer is taken from a list that depends on no budget
 *   (plan-list.ts), so that recompute never grows with the budget unless `chain-dp`, which rounds by the budget, or `dtr` finds
 *   less at the smaller one. At most the recompute of `live`, of nested segments, of every plan of search/baseline-plans.ts (up to
 *   2,000 vertices) and of `chain-dp` (up to 400), `knapsack` (up to 2,000) and `dtr` (up to 3,000) at the same budget, where these fit; refused is only what none of them fits.
 * - Time: that of `live`, a minimum cut for each of 72 prices, and O(V) for each of a bounded number of
 *   moves, up to 64 vertices at 128 budgets; nested segments O(V²) with small constants. Space O(V + E).
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
    'fits the budget with no more recompute than any other strategy that fits, but milp and checkmate-rounding',
  reads: { seed: 'takes', budgetBytes: 'needs', timeLimitSeconds: 'takes' },
  scalesWithBatch: false,
  hasPaperCost: false,
  plan(problem, options, control) {
    const { budgetBytes } = options;
    if (budgetBytes === undefined) {
      return { applicable: false, reason: 'It needs a budget: the most live bytes that a step may hold.' };
    }
    if (!Number.isFinite(budgetBytes) || budgetBytes <= 0) {
      throw new BadInputError(`expected a positive number of bytes, got ${budgetBytes}`, 'budgetBytes');
    }
    const limit = new SearchLimit(options, control);
    const search = new LeastWork(problem, limit, options.seed);
    const found = search.within(budgetBytes, {
      moves: movesWithin(problem.graph.size),
      whole: true,
      tick: (done) => limit.tick(0.4 + 0.6 * done),
    });
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
