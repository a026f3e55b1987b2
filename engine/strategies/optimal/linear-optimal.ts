import { buildDivisionTree } from '../../paper/build-division-tree.ts';
import { whyNotLinear } from '../../paper/solve-linear.ts';
import { READS_CHECKPOINTING, tensorId } from '../strategy/from-checkpoints.ts';
import { leastCostPlan } from './least-cost-plan.ts';
import type { Strategy } from '../strategy/strategy.ts';

/**
 * The papers' optimum on linear graphs.
 *
 * - Source: paper 000, Algorithm 1 (LCG solver).
 * - Guarantee: the minimum of Eq. 1, exact; refused on graphs that are not linear.
 * - Time and space as engine/paper/solve-linear.ts says.
 * - Assumptions: as `optimal`.
 * - Departures: none in the result; ties as least-cost-plan.ts says.
 */
export const linearOptimal: Strategy = {
  name: 'linear-optimal',
  title: 'Linear optimal (LCG solver)',
  source: 'Feng & Huang, CVPR 2021, Algorithm 1',
  cites: ['feng2021optimal'],
  guarantee: 'the minimum of Eq. 1 on linear graphs',
  takeFor: 'the paper’s optimum on a network without branches',
  reads: { ...READS_CHECKPOINTING },
  scalesWithBatch: true,
  hasPaperCost: true,
  plan(problem, options) {
    const { tensors } = problem.view;
    const fault = whyNotLinear(tensors);
    if (fault === null) return leastCostPlan(problem, options, buildDivisionTree(tensors), 1);
    // Readers of several values come after the feeders of several, because the graph has one source.
    const { vertex, outputs } = fault;
    const reason = `the graph is not linear: ${tensorId(problem, vertex)} feeds ${outputs} operations`;
    return { applicable: false, reason };
  },
};
