import { READS_CHECKPOINTING } from '../strategy/from-checkpoints.ts';
import { buildDivisionTree } from '../../paper/build-division-tree.ts';
import { leastCostPlan } from './least-cost-plan.ts';
import type { Strategy } from '../strategy/strategy.ts';

/**
 * The papers' optimum: of all sets of checkpoints that cut the graph into independent segments, one of
 * least Eq. 2.
 *
 * - Source: paper 000, Algorithms 2-6; paper 001, Algorithms 2-5.
 * - Guarantee: the minimum of Eq. 2, exact, on any graph. Eq. 2 is not the peak (SPEC M1).
 * - Time and space as engine/paper/solve-optimal.ts says: near-linear where the papers need O(V^4).
 * - Assumptions: every segment keeps all its tensors for backward, and no gradient costs anything.
 * - Departures: none in the result; ties as least-cost-plan.ts says.
 */
export const optimal: Strategy = {
  name: 'optimal',
  title: 'Optimal (ACG solver)',
  source: 'Feng & Huang, CVPR 2021, Algorithms 2-6',
  cites: ['feng2021optimal'],
  guarantee: 'the minimum of Eq. 2 on any graph',
  takeFor: 'the paper’s optimum on any network',
  reads: { ...READS_CHECKPOINTING },
  scalesWithBatch: true,
  hasPaperCost: true,
  plan(problem, options) {
    return leastCostPlan(problem, options, buildDivisionTree(problem.view.tensors), 2);
  },
};
