import type { TensorGraph } from '../../paper/tensor-graph.ts';
import { chenWalk } from './chen-walk.ts';
import { planFromCheckpoints, READS_CHECKPOINTING } from '../strategy/from-checkpoints.ts';
import { chainCost, type SplittingChain, splittingChain, whyNoChain } from './splitting-chain.ts';
import { READS_TIME_LIMIT, SearchLimit } from '../search/search-limit.ts';
import type { Strategy } from '../strategy/strategy.ts';

/** Up to this many vertices of the chain every budget is tried; beyond, budgets grow by at least 1 %. */
const EXHAUSTIVE_CHAIN = 300;

/**
 * Chen's greedy planning: walk the chain, add up costs, place a checkpoint wherever the sum since the
 * last one exceeds a budget; sweep the budget and keep the best by Eq. 2.
 *
 * - Source: Chen et al. 2016, Algorithm 3 (memory planning with budget); on non-linear graphs over the
 *   chain of splitting vertices, as in paper 001, table 1.
 * - Guarantee: the best of all budgets on chains of up to 300 splitting vertices. Not the optimum of
 *   Eq. 1: a checkpoint always falls on the vertex that overflows.
 * - Time O(k) a budget, at most k(k+1)/2 budgets with other results for a chain of k vertices; space O(V + E).
 * - Assumptions: none on costs.
 * - Departures: Chen searches a few budgets (`chen-memonger` does as his program); here every budget that changes
 *   the result is tried. Ties go to the smaller budget.
 */
export const chenGreedy: Strategy = {
  name: 'chen-greedy',
  title: 'Chen greedy',
  source: 'Chen et al., Training deep nets with sublinear memory cost, 2016, Algorithm 3',
  cites: ['chen2016training'],
  guarantee: 'the best by Eq. 2 of all budgets of the greedy rule',
  takeFor: 'a chain of unequal layers, or the papers’ column of Chen’s algorithm',
  reads: { ...READS_TIME_LIMIT, ...READS_CHECKPOINTING },
  scalesWithBatch: true,
  hasPaperCost: true,
  plan(problem, options, control) {
    const { tensors } = problem.view;
    const chain = splittingChain(tensors);
    const reason = whyNoChain(problem, chain);
    if (reason !== null) return { applicable: false, reason };
    const limit = new SearchLimit(options, control);
    const positions = bestOfSweep(tensors, chain, limit);
    const plan = planFromCheckpoints(
      problem,
      options,
      positions.map((i) => chain.vertices[i] ?? 0),
    );
    return { ...plan, ...limit.ending };
  },
};

function bestOfSweep(tensors: TensorGraph, chain: SplittingChain, limit: SearchLimit): readonly number[] {
  const growth = chain.vertices.length <= EXHAUSTIVE_CHAIN ? 1 : 1.01;
  const total = tensors.cost.reduce((sum, cost) => sum + cost, 0);
  let best: readonly number[] = [];
  let bestCost = chainCost(tensors, chain, best);
  let budget = 0;
  for (let tried = 0; budget < total; tried++) {
    limit.tick(budget / total);
    if (limit.look(2 * chain.vertices.length)) {
      limit.leave('budgets', tried, null);
      break;
    }
    const { positions, next } = chenWalk(tensors, chain, budget);
    const cost = chainCost(tensors, chain, positions);
    if (cost < bestCost) {
      best = positions;
      bestCost = cost;
    }
    budget = Math.max(next, budget * growth);
  }
  return best;
}
