import { BadInputError } from '../../errors.ts';
import { checkpointsOf } from '../live/candidate.ts';
import { SearchLimit } from '../search-limit.ts';
import type { Strategy } from '../strategy.ts';
import { LeastWork } from './least-work.ts';

/**
 * The least recompute that fits a byte budget.
 *
 * - Source: Zigzag. Minimum cuts after the partitioner of PyTorch's compiler; nested segments after the
 *   heterogeneous Left/Right decomposition that article 002 describes.
 * - Guarantee: fits the budget, as the simulator judges. The least recompute of all schedules for graphs of up to
 *   12 vertices, and the least budget exactly (exact/). On larger ones recompute never grows with the
 *   budget (budget-tree.ts has the proof), and is at most that of `live` and, up to 2,000 vertices, of each
 *   plan of portfolio.ts that fits; refused are budgets below all of these. None of it where a limit ended the search.
 * - Time: that of `live`, a minimum cut for each of 72 prices, and O(V) for each of a bounded number of moves at each
 *   of at most 18 budgets; nested segments O(V²) with small constants. Space O(V + E).
 * - Assumptions: none; every graph and every profile.
 * - Departures: the partitioner minimises what is saved under rules for what may be recomputed; here
 *   work has a price and the simulated peak decides.
 */
export const budget: Strategy = {
  name: 'budget',
  title: 'Budget',
  source: 'Zigzag; minimum cuts as in PyTorch’s partitioner, nested segments as in Bulatov’s article',
  guarantee:
    'fits the budget with no more recompute than any other plan known; a larger budget never takes more',
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
    const found = search.within(budgetBytes, (done) => limit.tick(0.4 + 0.6 * done));
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
