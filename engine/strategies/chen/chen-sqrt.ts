import { planFromCheckpoints, READS_CHECKPOINTING } from '../strategy/from-checkpoints.ts';
import { splittingChain, whyNoChain } from './splitting-chain.ts';
import type { Strategy } from '../strategy/strategy.ts';

/**
 * Chen's square root rule: a chain of n operations is cut into sqrt(n) segments of the same length.
 *
 * - Source: Chen et al. 2016, section 4.2; on non-linear graphs over the chain of splitting vertices,
 *   the "Chen manual" column of paper 001, table 1.
 * - Guarantee: O(sqrt(n)) memory and at most one extra forward on a chain of n equal vertices, where it
 *   is also the optimum of Eq. 1 up to rounding (paper 000, case 1).
 * - Time and space O(V + E).
 * - Assumptions: vertices of equal cost; costs are not looked at.
 * - Departures: none on a chain. Boundaries lie at the multiples of n / sqrt(n), rounded.
 */
export const chenSqrt: Strategy = {
  name: 'chen-sqrt',
  title: 'Chen √n',
  source: 'Chen et al., Training deep nets with sublinear memory cost, 2016',
  cites: ['chen2016training'],
  guarantee: 'O(√n) memory on a chain of n equal vertices',
  takeFor: 'a chain of equal layers, as the textbook does it',
  reads: { ...READS_CHECKPOINTING },
  scalesWithBatch: true,
  hasPaperCost: true,
  plan(problem, options) {
    const chain = splittingChain(problem.view.tensors);
    const reason = whyNoChain(problem, chain);
    if (reason !== null) return { applicable: false, reason };
    const length = chain.vertices.length - 1;
    const segments = Math.round(Math.sqrt(length));
    const checkpoints: number[] = [];
    for (let i = 1; i < segments; i++) {
      checkpoints.push(chain.vertices[Math.round((i * length) / segments)] ?? 0);
    }
    return planFromCheckpoints(problem, options, checkpoints);
  },
};
