import { READS_TIME_LIMIT, SearchLimit } from '../search/search-limit.ts';
import type { Strategy } from '../strategy/strategy.ts';
import { checkpointsOf } from '../search/candidate.ts';
import { quickPlans } from '../planner/peer-plans.ts';
import { lowestPeak } from './lowest-peak.ts';

/**
 * Zigzag's own: the lowest simulated peak with each tensor recomputed at most once. Several topological
 * orders; for each, the cuts of least peak as a shortest path (cut-path.ts); what to keep of each stage of a network that
 * is a chain of them (stage-path.ts); then annealing of what is kept tensor by tensor (byte-curve.ts), where
 * recomputation is lazy, a kept tensor may be given up between two uses in backward, and ties go to the least recompute.
 *
 * - Source: Zigzag. Lower sets as cuts after Kusumoto et al., NeurIPS 2019; that a cut is charged only
 *   until backward has passed it, the memory semantics and the search beyond cuts are ours.
 * - Guarantee: never above a path of cuts of any order tried, nor, up to 2,000 vertices, the plans of
 *   planner/peer-plans.ts that are of this class. Exact over all schedules of the class for graphs of up to 12 vertices
 *   (exact/), exact over all sequences of lower sets where there are at most 600 (lower-sets.ts); the claim
 *   says which.
 * - Time O(V²) for each order and each of some 30 limits, pruned to the segments that fit, and O(V) with
 *   a small constant for each of at most 100,000 moves; the stages, up to 2,000 vertices, at most 300,000 checks for each
 *   of some ten limits; space O(V + E).
 * - Assumptions: none; every graph and every profile. The search is random but of a fixed seed; that of the
 *   options is for what the other strategies draw.
 * - Departures: Kusumoto et al. charge no gradients and keep every cut until the end.
 */
export const live: Strategy = {
  name: 'live',
  title: 'Live',
  source: 'Zigzag; cuts at lower sets after Kusumoto et al., NeurIPS 2019',
  cites: ['kusumoto2019graph'],
  guarantee:
    'computes no tensor more than twice; its peak is not higher than any path of cuts in the orders tried',
  takeFor: 'the smallest memory',
  reads: { seed: 'takes', ...READS_TIME_LIMIT },
  scalesWithBatch: false,
  hasPaperCost: false,
  plan(problem, options, control) {
    const limit = new SearchLimit(options, control);
    const found = lowestPeak(problem, limit, () => quickPlans(problem, options.seed, limit));
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
