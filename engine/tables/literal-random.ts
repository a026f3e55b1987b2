import { independenceTest } from '../paper/segments.ts';
import { createRng } from '../rng.ts';
import type { Checkpointing } from '../schedule/checkpointing.ts';
import { simulateTotals } from '../simulate/simulate.ts';
import { planFromCheckpoints } from '../strategies/strategy/from-checkpoints.ts';
import type { Problem } from '../strategies/strategy/strategy.ts';

const SETS = 10;
const MAX_CHECKPOINTS = 5;
const MAX_DRAWS = 20_000;

/**
 * Peaks of the random baseline as section 6 of paper 000 reads: every draw chooses its own number of checkpoints, 1 to 5,
 * until ten sets are valid; the lowest peak of the ten is kept. `random` (strategies/random.ts) draws one number for all
 * ten. Time O(10 D (V + E)) a seed with D draws a set, at most 20,000.
 *
 * @returns bytes of seeds 0, 1, ..., ascending; none of a seed without a valid set
 */
export function literalRandomPeaks(problem: Problem, seeds: number, checkpointing: Checkpointing): number[] {
  const { graph, memory, view } = problem;
  const inner = view.tensors.size - 2;
  const isValid = independenceTest(view.tensors);
  const known = new Map<string, number>();
  const peakOf = (set: readonly number[]): number => {
    const key = set.toSorted((a, b) => a - b).join();
    let peak = known.get(key);
    if (peak === undefined) {
      const plan = planFromCheckpoints(problem, { seed: 0, checkpointing }, set);
      peak = plan.applicable
        ? simulateTotals(graph, memory, plan.schedule).peakBytes
        : Number.POSITIVE_INFINITY;
      known.set(key, peak);
    }
    return peak;
  };
  const lowestOf = (seed: number): number => {
    const rng = createRng(seed);
    let lowest = Number.POSITIVE_INFINITY;
    let valid = 0;
    for (let draw = 0; draw < SETS * MAX_DRAWS && valid < SETS; draw++) {
      const count = Math.min(1 + rng.below(MAX_CHECKPOINTS), inner);
      const set = new Set<number>();
      while (set.size < count) set.add(1 + rng.below(inner));
      if (!isValid([...set])) continue;
      valid++;
      lowest = Math.min(lowest, peakOf([...set]));
    }
    return lowest;
  };
  return Array.from({ length: seeds }, (_, seed) => lowestOf(seed))
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
}
