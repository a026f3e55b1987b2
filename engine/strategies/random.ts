import { independenceTest } from '../paper/segments.ts';
import { createRng, type Rng } from '../rng.ts';
import { simulateTotals } from '../simulate/simulate.ts';
import { NO_INNER_VERTEX } from './chen/splitting-chain.ts';
import { planFromCheckpoints, READS_CHECKPOINTING, withoutFixed } from './strategy/from-checkpoints.ts';
import { READS_TIME_LIMIT, SearchLimit } from './search/search-limit.ts';
import type { Strategy } from './strategy/strategy.ts';

const TRIALS = 10;
const MAX_CHECKPOINTS = 5;
const MAX_DRAWS = 20_000;
/** Vertices and edges that the draws of one trial may look at. */
const MAX_LOOKS = 5e6;

/**
 * The papers' baseline: ten random sets of one number of vertices, 1 to 5, that cut the graph into independent
 * segments, of which the one whose step has the lowest peak is kept.
 *
 * - Source: paper 000, section 6 and table 2.
 * - Guarantee: none; the same seed gives the same plan. The claim says how many sets were found.
 * - Time O(10 D (V + E)) with D draws a trial, at most 20,000 and fewer on graphs above 250 vertices and edges;
 *   space O(V + E).
 * - Assumptions: none.
 * - Departures: the paper draws a number of checkpoints for each set (tables/literal-random.ts). Here one number,
 *   uniform in 1..5, holds for all ten sets: the ranges then have 12 of the paper's 15 figures instead of 9. Sets are of
 *   distinct vertices, never source or target. A trial that reaches D is the last.
 */
export const random: Strategy = {
  name: 'random',
  title: 'Random',
  source: 'Feng & Huang, CVPR 2021, section 6',
  cites: ['feng2021optimal'],
  guarantee:
    'no guarantee: takes the lowest peak of 10 valid random sets of the same number of checkpoints, 1 to 5',
  takeFor: 'a baseline: checkpoints that nobody chose',
  reads: { seed: 'takes', ...READS_TIME_LIMIT, ...READS_CHECKPOINTING },
  asSource: { maxVertices: 2000, looks: (vertices) => 10_000 * vertices },
  scalesWithBatch: true,
  hasPaperCost: true,
  plan(problem, options, control) {
    const { tensors } = problem.view;
    const inner = tensors.size - 2;
    if (inner === 0) return { applicable: false, reason: NO_INNER_VERTEX };
    const rng = createRng(options.seed);
    const isValid = independenceTest(tensors);
    const draws = Math.min(MAX_DRAWS, Math.ceil(MAX_LOOKS / (tensors.size + tensors.edgeCount)));
    const count = Math.min(1 + rng.below(MAX_CHECKPOINTS), inner);
    const growing = withoutFixed(problem);
    let best: readonly number[] | null = null;
    let lowest = Number.POSITIVE_INFINITY;
    let valid = 0;
    let trials = TRIALS;
    const limit = new SearchLimit(options, control);
    for (let trial = 0; trial < TRIALS; trial++) {
      limit.tick(trial / TRIALS);
      if (limit.isReached && best !== null) {
        limit.leave('trials', trial, TRIALS);
        trials = trial;
        break;
      }
      const drawn = validSet(rng, inner, count, draws, isValid);
      // The next would look for the same number.
      if (drawn === null) break;
      valid++;
      const { schedule } = planFromCheckpoints(growing, options, drawn);
      const { peakBytes } = simulateTotals(growing.graph, growing.memory, schedule);
      if (peakBytes >= lowest) continue;
      best = drawn;
      lowest = peakBytes;
    }
    if (best === null)
      return { applicable: false, reason: `no valid set of ${count} checkpoints in ${draws} draws` };
    const plan = planFromCheckpoints(problem, options, best, {
      kind: 'random-sets',
      valid,
      trials,
      draws,
    });
    return { ...plan, ...limit.ending };
  },
};

/** A valid set of so many checkpoints; null when no draw gives one. */
function validSet(
  rng: Rng,
  inner: number,
  count: number,
  draws: number,
  isValid: (checkpoints: readonly number[]) => boolean,
): readonly number[] | null {
  /** By vertex: the last draw that it was in. */
  const lastDraw = new Int32Array(inner + 1).fill(-1);
  for (let draw = 0; draw < draws; draw++) {
    const drawn: number[] = [];
    while (drawn.length < count) {
      const vertex = 1 + rng.below(inner);
      if (lastDraw[vertex] === draw) continue;
      lastDraw[vertex] = draw;
      drawn.push(vertex);
    }
    if (isValid(drawn)) return drawn;
  }
  return null;
}
