import type { Rng } from '../../rng.ts';
import type { SearchLimit } from './search-limit.ts';
import { PeekableStream } from './peekable-stream.ts';
import { NeighbourMoves } from './neighbour-moves.ts';
import type { ByteCurve } from './byte-curve.ts';

export interface AnnealOptions {
  readonly moves: number;
  /** Share of moves that copy what is kept of a stretch to another like it; none by default. */
  readonly copies?: number;
  readonly rng: Rng;
  readonly search: SearchLimit;
  /** Hears now and then the share done. */
  readonly tick: (done: number) => void;
}

/** Moves between two calls of `tick`, two coolings. */
const ROUND = 64;
/** How far below the best peak the limit lies, as a share of it, at the start and at the end. */
const STEP_START = 0.1;
const STEP_END = 0.02;
/** Temperature at the start, as a share of the cost. */
const HEAT = 0.003;
/** Factor on the cost at which a move is lost, so that rounding never rejects a good one. */
const ROUNDING = 1 + 1e-9;

/**
 * Simulated annealing on what is kept, towards a lower peak. The cost is the sum of squares of the
 * bytes above a limit a little below the best peak so far, so that every position that is too high
 * counts and not the highest alone. Deterministic for a given stream of numbers.
 * Leaves the best choice in the curve and returns its peak. Time: one change and one `measure` of the curve
 * for each move.
 */
export function annealPeak(
  curve: ByteCurve,
  { moves, rng, search, tick, copies = 0 }: AnnealOptions,
): number {
  curve.measure(Number.POSITIVE_INFINITY);
  if (curve.model.items < 2) return curve.peak;
  const ahead = new PeekableStream(rng);
  const mover = new NeighbourMoves(curve, ahead, copies);
  let bestPeak = curve.peak;
  let bestWork = curve.work;
  let step = STEP_START;
  let limit = bestPeak;
  let cost = 0;
  let temperature = 0;
  for (let move = 0; move < moves; move++) {
    if (move % ROUND === 0) {
      const done = move / moves;
      tick(done);
      if (search.look(curve.takeLooks())) {
        search.leave('moves', move, moves);
        break;
      }
      step = STEP_START + (STEP_END - STEP_START) * done;
      limit = bestPeak * (1 - step);
      cost = curve.measure(limit);
      temperature = HEAT * cost * (1 - done);
    }
    mover.propose();
    // Costs from here on are rejected, so their last digits do not matter.
    const lost = (cost - temperature * Math.log(ahead.peek())) * ROUNDING;
    const found = curve.measure(limit, lost);
    if (found > cost && ahead.next() >= Math.exp((cost - found) / temperature)) {
      mover.undo();
      continue;
    }
    cost = found;
    mover.take();
    if (curve.peak > bestPeak || (curve.peak === bestPeak && curve.work >= bestWork)) continue;
    const lower = curve.peak < bestPeak;
    bestPeak = curve.peak;
    bestWork = curve.work;
    mover.mark();
    if (lower) {
      limit = bestPeak * (1 - step);
      cost = curve.measure(limit);
    }
  }
  mover.returnToMark();
  curve.measure(limit);
  return bestPeak;
}

/** Price of one position's excess of 1 % of the limit, and temperature at the start: shares of the work. */
const PRICE = 0.006;
const WORK_HEAT = 0.002;

/**
 * The same towards less recompute within a limit on the peak: the cost is the work done again, as a
 * share of that at the start, plus a price on bytes above the limit. Leaves the choice of least work that is within
 * the limit in the curve and returns whether there is one (always, if it started within).
 */
export function annealWork(
  curve: ByteCurve,
  limit: number,
  { moves, rng, search, tick, copies = 0 }: AnnealOptions,
): boolean {
  const unit = curve.work;
  if (curve.model.items < 2 || unit === 0) return curve.fits(limit);
  const ahead = new PeekableStream(rng);
  const mover = new NeighbourMoves(curve, ahead, copies);
  const price = PRICE / (limit * 0.01) ** 2;
  const measure = (lost = Number.POSITIVE_INFINITY): number => {
    const work = curve.work / unit;
    const most = (lost - work) / price;
    return work + (most < 0 ? 0 : price * curve.measure(limit, most));
  };
  let cost = measure();
  let bestWork = curve.peak <= limit ? curve.work : Number.POSITIVE_INFINITY;
  let temperature = 0;
  for (let move = 0; move < moves; move++) {
    if (move % ROUND === 0) {
      const done = move / moves;
      tick(done);
      if (search.look(curve.takeLooks())) {
        search.leave('moves', move, moves);
        break;
      }
      temperature = WORK_HEAT * (1 - done);
      cost = measure();
    }
    mover.propose();
    const lost = (cost - temperature * Math.log(ahead.peek())) * ROUNDING;
    const found = measure(lost);
    if (found > cost && ahead.next() >= Math.exp((cost - found) / temperature)) {
      mover.undo();
      continue;
    }
    cost = found;
    mover.take();
    if (curve.peak > limit || curve.work >= bestWork) continue;
    bestWork = curve.work;
    mover.mark();
  }
  mover.returnToMark();
  return curve.fits(limit);
}
