import { insertFrees } from '../../schedule/liveness.ts';
import { type Policy, reverseChain } from './reverse.ts';
import { stageChain } from './stage-chain.ts';
import { slotsOf } from '../options.ts';
import type { Strategy } from '../strategy/strategy.ts';

/**
 * Revolve: binomial checkpointing. With c checkpoints beside the source a chain of up to C(c+1+r, r)
 * stages runs backward with no stage forwarded more than r + 1 times.
 *
 * - Source: Griewank & Walther, Algorithm 799: revolve, 2000. On non-linear graphs over the chain of
 *   splitting vertices.
 * - Guarantee: the fewest stage forwards of any schedule that holds at most c boundaries at once.
 * - Time O(steps), O(n log n) steps for c = log2 n; space O(steps).
 * - Assumptions: stages of equal time and equal size.
 * - Departures: the number of checkpoints is given (`slots`), the source comes on top because it is
 *   stored anyway; without it ceil(log2(stages)), where memory and repeats both grow with the logarithm.
 *   A boundary that the stage before it needs as its own output is not recomputed for that.
 */
export const revolve: Strategy = {
  name: 'revolve',
  title: 'Revolve',
  source: 'Griewank & Walther, Algorithm 799: revolve, 2000',
  cites: ['griewank2000revolve'],
  guarantee: 'the fewest forwards for a number of checkpoints on a chain of equal stages',
  takeFor: 'a long chain and a fixed number of checkpoints',
  reads: { slots: 'takes' },
  scalesWithBatch: true,
  hasPaperCost: false,
  plan(problem, options, control) {
    const chain = stageChain(problem);
    if (typeof chain === 'string') return { applicable: false, reason: chain };
    const slots = slotsOf(options, chain.stages.length);
    const { compute, checkpoints } = reverseChain(chain, binomial, slots, control);
    return {
      applicable: true,
      checkpoints,
      schedule: insertFrees(problem.graph, problem.memory, compute),
      paperCostBytes: null,
      claim: { kind: 'stages-in-slots', stages: chain.stages.length, slots },
    };
  },
};

/** Position of the next of `slots` checkpoints in a range of two stages or more. */
const binomial: Policy = (from, to, slots) => {
  const length = to - from;
  // Without a free slot the last stage is reached again and again from the start of the range.
  if (slots === 0) return { at: to - 1, left: 0 };
  return { at: from + binomialSplit(length, slots), left: slots - 1 };
};

/**
 * How far to advance before the next checkpoint. With s = slots + 1 places (the start counts) and
 * b(s, r) = C(s + r, s), the longest range in which no stage is forwarded more than r times before its
 * own turn, any advance that leaves both parts within their b is optimal: the part before keeps s
 * places and r - 1, the part after has s - 1 and r. The smallest such advance is taken.
 */
export function binomialSplit(length: number, slots: number): number {
  const places = slots + 1;
  let repeats = 1;
  while (longest(places, repeats) < length) repeats++;
  const least = Math.max(
    1,
    repeats >= 2 ? longest(places, repeats - 2) : 1,
    length - longest(places - 1, repeats),
  );
  return Math.min(least, length - 1);
}

/** C(places + repeats, places), or infinity beyond exact integers. */
function longest(places: number, repeats: number): number {
  let value = 1;
  for (let i = 1; i <= Math.min(places, repeats); i++) {
    value = (value * (Math.max(places, repeats) + i)) / i;
    if (value > Number.MAX_SAFE_INTEGER) return Number.POSITIVE_INFINITY;
  }
  return Math.round(value);
}
