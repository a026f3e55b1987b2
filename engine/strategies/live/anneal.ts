import type { Rng } from '../../rng.ts';
import { Mover } from './mover.ts';
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
/** Temperature at the start, as a share of the cost. */
const HEAT = 0.003;

/**
 * Simulated annealing on what is kept, towards a lower peak. The cost is the sum of squares of the
 * bytes above a limit a little below the best peak so far, so that every position that is too high
 * counts and not the highest alone. Deterministic for a given stream of numbers.
 * Leaves the best choice in the profile and returns its peak. Time: one change and one pass over all
 * positions for each move.
 */
export function annealPeak(profile: Profile, { moves, rng, tick }: AnnealOptions): number {
  profile.measure(Number.POSITIVE_INFINITY);
  if (profile.model.items < 2) return profile.peak;
  const mover = new Mover(profile, rng);
  let bestPeak = profile.peak;
  let bestWork = profile.work;
  let best = profile.keep.slice();
  let step = STEP_START;
  let limit = bestPeak;
  let cost = 0;
  let temperature = 0;
  for (let move = 0; move < moves; move++) {
    if (move % ROUND === 0) {
      const done = move / moves;
      tick(done);
      step = STEP_START + (STEP_END - STEP_START) * done;
      limit = bestPeak * (1 - step);
      cost = profile.measure(limit);
      temperature = HEAT * cost * (1 - done);
    }
    mover.propose();
    const found = profile.measure(limit);
    if (found > cost && rng.next() >= Math.exp((cost - found) / temperature)) {
      mover.undo();
      continue;
    }
    cost = found;
    if (profile.peak > bestPeak || (profile.peak === bestPeak && profile.work >= bestWork)) continue;
    const lower = profile.peak < bestPeak;
    bestPeak = profile.peak;
    bestWork = profile.work;
    best = profile.keep.slice();
    if (lower) {
      limit = bestPeak * (1 - step);
      cost = profile.measure(limit);
    }
  }
  profile.setAll(best);
  profile.measure(limit);
  return bestPeak;
}

/** Price of one position's excess of 1 % of the limit, and temperature at the start: shares of the work. */
const PRICE = 0.006;
const WORK_HEAT = 0.002;

/**
 * The same towards less recompute within a limit on the peak: the cost is the work done again, as a
 * share of that at the start, plus a price on bytes above the limit. Leaves the choice of least work that is within
 * the limit in the profile and returns whether there is one (always, if it started within).
 */
export function annealWork(profile: Profile, limit: number, { moves, rng, tick }: AnnealOptions): boolean {
  const unit = profile.work;
  if (profile.model.items < 2 || unit === 0) return profile.fits(limit);
  const mover = new Mover(profile, rng);
  const price = PRICE / (limit * 0.01) ** 2;
  const measure = (): number => profile.work / unit + price * profile.measure(limit);
  let cost = measure();
  let bestWork = profile.peak <= limit ? profile.work : Number.POSITIVE_INFINITY;
  let best = profile.keep.slice();
  let temperature = 0;
  for (let move = 0; move < moves; move++) {
    if (move % ROUND === 0) {
      const done = move / moves;
      tick(done);
      temperature = WORK_HEAT * (1 - done);
      cost = measure();
    }
    mover.propose();
    const found = measure();
    if (found > cost && rng.next() >= Math.exp((cost - found) / temperature)) {
      mover.undo();
      continue;
    }
    cost = found;
    if (profile.peak > limit || profile.work >= bestWork) continue;
    bestWork = profile.work;
    best = profile.keep.slice();
  }
  profile.setAll(best);
  return profile.fits(limit);
}
