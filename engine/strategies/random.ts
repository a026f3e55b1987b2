import { paperCost } from '../paper/paper-cost.ts';
import { createRng, type Rng } from '../rng.ts';
import { planFromCheckpoints } from './from-checkpoints.ts';
import type { Strategy } from './strategy.ts';

const VALID_TRIALS = 10;
const MOST_DRAWS = 100;
const MOST_CHECKPOINTS = 5;

/**
 * The papers' baseline: random sets of 1 to 5 vertices, the best by Eq. 2 of 10 that cut the graph into
 * independent segments; not applicable when 100 draws give no such set.
 *
 * - Source: paper 000, section 6 and table 2.
 * - Guarantee: none; the same seed gives the same plan.
 * - Time O(100 (V + E)), space O(V + E).
 * - Assumptions: none.
 * - Departures: the paper does not say how it drew. Here the number of checkpoints is uniform in 1..5,
 *   then the vertices without repeats; source and target are never drawn. Fewer than 10 valid sets in
 *   100 draws count too.
 */
export const random: Strategy = {
  name: 'random',
  title: 'Random',
  source: 'Feng & Huang, CVPR 2021, section 6',
  guarantee: 'none: the best by Eq. 2 of 10 valid random sets of 1 to 5 checkpoints',
  reads: { seed: 'takes' },
  scalesWithBatch: true,
  hasPaperCost: true,
  plan(problem, options) {
    const { tensors } = problem.view;
    if (tensors.size === 2) {
      return { applicable: false, reason: 'there is no vertex between source and target' };
    }
    const rng = createRng(options.seed);
    let best: readonly number[] | null = null;
    let bestCost = Number.POSITIVE_INFINITY;
    let valid = 0;
    for (let draw = 0; draw < MOST_DRAWS && valid < VALID_TRIALS; draw++) {
      const drawn = drawSet(rng, tensors.size - 2);
      const cost = paperCost(tensors, drawn);
      if (!cost.ok) continue;
      valid++;
      if (cost.cost < bestCost) {
        best = drawn;
        bestCost = cost.cost;
      }
    }
    if (best === null) return { applicable: false, reason: `no valid set in ${MOST_DRAWS} draws` };
    return planFromCheckpoints(problem, best);
  },
};

/** 1 to 5 distinct vertices of 1..inner. */
function drawSet(rng: Rng, inner: number): number[] {
  const count = Math.min(1 + rng.below(MOST_CHECKPOINTS), inner);
  const drawn = new Set<number>();
  while (drawn.size < count) drawn.add(1 + rng.below(inner));
  return [...drawn];
}
