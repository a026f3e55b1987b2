import type { Rng } from '../../rng.ts';
import { KEEP_ALL } from './evaluator.ts';
import type { Profile } from './profile.ts';

export interface AnnealOptions {
  readonly moves: number;
  readonly rng: Rng;
  /** Called now and then with the share done. */
  readonly tick: (done: number) => void;
}

/** Moves between two calls of `tick`, two coolings. */
const ROUND = 64;
/** How far below the best peak the limit lies, as a share of it, at the start and at the end. */
const STEP_START = 0.1;
const STEP_END = 0.02;
/** Temperature at the start, in squares of the distance between peak and limit. */
const HEAT = 0.3;
/** Share of moves that shift to an item close by, and how far close is. */
const SHIFTS = 0.8;
const SHIFT_SPAN = 10;

/**
 * Simulated annealing on what is kept, towards a lower peak. The cost is the sum of squares of the
 * bytes above a limit a little below the best peak so far, so that every position that is too high
 * counts and not the highest alone. A move keeps or drops one item, or shifts what is kept from an
 * item to one close by. Deterministic for a given stream of numbers.
 * Leaves the best choice in the profile and returns its peak. Time: one change and one pass over all
 * positions for each move.
 */
export function anneal(profile: Profile, options: AnnealOptions): number {
  const { moves, rng, tick } = options;
  const { items, auxBytes } = profile.model;
  if (items < 2) return profile.peak;
  const { keep } = profile;
  profile.measure(Number.POSITIVE_INFINITY);
  let bestPeak = profile.peak;
  let bestWork = profile.work;
  let best = keep.slice();
  let step = STEP_START;
  let limit = bestPeak * (1 - step);
  let cost = profile.measure(limit);
  let temperature = 0;
  for (let move = 0; move < moves; move++) {
    if (move % ROUND === 0) {
      const done = move / moves;
      tick(done);
      step = STEP_START + (STEP_END - STEP_START) * done;
      limit = bestPeak * (1 - step);
      cost = profile.measure(limit);
      const scale = limit * step * (1 - done);
      temperature = HEAT * scale * scale;
    }
    const first = 1 + rng.below(items - 1);
    const before = keep[first]!;
    const change = auxBytes[first]! > 0 ? 1 + rng.below(KEEP_ALL) : KEEP_ALL;
    profile.set(first, before ^ change);
    let second = -1;
    let secondBefore = 0;
    if (rng.next() < SHIFTS) {
      const near = first + rng.below(2 * SHIFT_SPAN + 1) - SHIFT_SPAN;
      if (near > 0 && near < items && near !== first && (keep[near]! & 1) === (keep[first]! & 1)) {
        second = near;
        secondBefore = keep[near]!;
        profile.set(near, secondBefore ^ KEEP_ALL);
      }
    }
    const found = profile.measure(limit);
    if (found <= cost || rng.next() < Math.exp((cost - found) / temperature)) {
      cost = found;
      if (profile.peak < bestPeak || (profile.peak === bestPeak && profile.work < bestWork)) {
        const lower = profile.peak < bestPeak;
        bestPeak = profile.peak;
        bestWork = profile.work;
        best = keep.slice();
        if (lower) {
          limit = bestPeak * (1 - step);
          cost = profile.measure(limit);
        }
      }
    } else {
      if (second >= 0) profile.set(second, secondBefore);
      profile.set(first, before);
    }
  }
  for (let item = 1; item < items; item++) profile.set(item, best[item]!);
  profile.measure(limit);
  return bestPeak;
}
