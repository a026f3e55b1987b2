import { createRng } from '../../rng.ts';
import { isSame } from '../../typed-arrays.ts';
import { type AnnealOptions, annealWork } from '../search/anneal.ts';
import { type KeepEncoding, KEEP_ALL } from '../search/keep-encoding.ts';
import type { LiveModel } from '../search/live-model.ts';
import { ByteCurve } from '../search/byte-curve.ts';
import { keepMoreWithin } from '../search/keep-more-within.ts';
import { KeepByCut } from '../search/keep-by-cut.ts';
import type { SearchLimit } from '../search/search-limit.ts';
import { isLarge } from '../search/size-threshold.ts';
import { dropUntilItFits } from '../search/drop-until-it-fits.ts';

const SEED = 20210621;
/** Prices tried, from keeping everything to keeping nothing. */
const PRICES = 24;
const TILTS = [0, 0.5, 1];
/** Work of a minimum cut per item. */
const CUT_LOOKS = 500;

/** More moves, as a share, that also copy what is kept of a stretch to others like it; and how many of them copy. */
const COPYING = 0.5;
const COPIES = 0.3;

/** How many of the starts are spent before the best are annealed. */
const SPENT = 8;

interface Start {
  readonly keep: KeepEncoding;
  readonly work: number;
}

export interface Effort {
  /** Moves of annealing for each of the best starts. */
  readonly moves: number;
  readonly tick: (done: number) => void;
  /** Starts from what is known alone, without minimum cuts. */
  readonly isKnownOnly?: boolean;
  /** One of many limits, highest first: starts go on from what the limit before left of them. */
  readonly isFalling?: boolean;
  /** Encodings carried on, as from other limits: improved ones, and the best of them annealed too. */
  readonly ends?: readonly KeepEncoding[];
  /** Hears every choice on the way that comes within the limit, with what the curve says of it. */
  readonly onFound?: (keep: KeepEncoding, peak: number, work: number) => void;
}

/**
 * Finds what to keep for the least recompute within a limit on the peak, under one order. Starts from
 * several sides and improves the best of them: everything kept, squeezed; minimum cuts at several
 * prices of work, squeezed or spent; and what the caller knows (the choice of lowest peak). One finder
 * serves many limits, because the cuts do not depend on them.
 */
export class LeastRecompute {
  readonly model: LiveModel;
  readonly #curve: ByteCurve;
  #made: readonly KeepEncoding[] | null = null;
  /** The starts as the limit before left them, and that limit. */
  #dropped: KeepEncoding[] = [];
  #limitBefore = 0;
  readonly #search: SearchLimit;

  constructor(model: LiveModel, search: SearchLimit) {
    this.model = model;
    this.#search = search;
    this.#curve = new ByteCurve(model, this.#all);
  }

  /** Everything kept, and minimum cuts. */
  get starts(): readonly KeepEncoding[] {
    this.#made ??= [this.#all, ...minimumCuts(this.model, this.#search)];
    return this.#made;
  }

  /** The starts as the limit before left them, and from everything on where this one is higher. */
  #leftOfStarts(limit: number): readonly KeepEncoding[] {
    if (limit > this.#limitBefore) this.#dropped = [...this.starts];
    this.#limitBefore = limit;
    return this.#dropped;
  }

  get #all(): KeepEncoding {
    return new Int32Array(this.model.items).fill(KEEP_ALL);
  }

  /** The best choice found, or null where no start comes within the limit. */
  within(
    limit: number,
    known: readonly KeepEncoding[],
    { moves, tick, ends = [], onFound, isKnownOnly = false, isFalling = false }: Effort,
  ): KeepEncoding | null {
    const curve = this.#curve;
    const search = this.#search;
    const found: Start[] = [];
    const add = (): void => {
      if (!curve.fits(limit)) return;
      const keep = curve.keep.slice();
      found.push({ keep, work: curve.work });
      onFound?.(keep, curve.peak, curve.work);
    };
    const spent = (start: KeepEncoding): void => {
      curve.setAll(start);
      keepMoreWithin(curve, limit, search, 1);
      add();
    };
    tick(0);
    const large = isLarge(this.model);
    // Known encodings are brought within the limit first, whatever time is left for the others.
    if (large) for (const start of known) spent(start);
    const early = found.splice(0);
    const starts = isKnownOnly ? [] : isFalling ? this.#leftOfStarts(limit) : this.starts;
    for (const [i, start] of starts.entries()) {
      if (search.look(curve.takeLooks())) {
        search.leave('starts', i, starts.length);
        break;
      }
      curve.setAll(start);
      if (curve.fits(limit)) add();
      else if (!large) {
        if (dropUntilItFits(curve, limit, search, workToBeat(found))) add();
        if (isFalling) this.#dropped[i] = curve.keep.slice();
      }
    }
    for (const { keep } of found
      .splice(0)
      .sort((a, b) => a.work - b.work)
      .slice(0, SPENT))
      spent(keep);
    for (const plan of early) found.push(plan);
    if (!large) for (const start of known) spent(start);
    // A start at the lowest peak is often worse at first and better in the end.
    const fromKnown = known.length > 0 ? found[found.length - 1] : undefined;
    found.sort((a, b) => a.work - b.work);
    const best = found.slice(0, 1);
    if (fromKnown !== undefined && fromKnown !== best[0]) best.push(fromKnown);
    // It is often better at first and worse in the end, so it takes no other's place.
    const carried = found.length;
    for (const start of ends) {
      curve.setAll(start);
      if (!curve.fits(limit) && !dropUntilItFits(curve, limit, search)) continue;
      keepMoreWithin(curve, limit, search, 1);
      add();
    }
    // They take no other's moves either.
    const share = moves / Math.max(1, best.length);
    const end = cheapest(found.slice(carried));
    if (end !== undefined) best.push(end);
    // Known choices are of the lowest peaks, near which copies lead further than other moves.
    const isCopying = known.length > 0 && moves > 0 && !large;
    const runs = best.length + Number(isCopying);
    const anneal = (
      keep: KeepEncoding,
      run: number,
      options: Pick<AnnealOptions, 'moves' | 'copies'>,
    ): void => {
      curve.setAll(keep);
      const told = (done: number): void => tick((run + done) / runs);
      annealWork(curve, limit, { ...options, rng: createRng(SEED), search, tick: told });
      keepMoreWithin(curve, limit, search);
      add();
    };
    best.forEach(({ keep, work }, i) => {
      // A start is annealed to the same end each time.
      if (work === 0 || best.slice(0, i).some((other) => isSame(other.keep, keep))) return;
      anneal(keep, i, { moves: share });
    });
    const last = cheapest(found);
    if (isCopying && last !== undefined && last.work > 0 && !search.isReached)
      anneal(last.keep, best.length, { moves: COPYING * moves, copies: COPIES });
    return cheapest(found)?.keep ?? null;
  }
}

/** The start of least work, of equal ones the first. */
const cheapest = (starts: readonly Start[]): Start | undefined =>
  starts.reduce<Start | undefined>((a, b) => (a === undefined || b.work < a.work ? b : a), undefined);

/** Work from which on a start would not be among those of least work. */
function workToBeat(found: readonly Start[]): number {
  return found.map(({ work }) => work).sort((a, b) => a - b)[SPENT - 1] ?? Number.POSITIVE_INFINITY;
}

/** Distinct choices that minimum cuts make between the prices at which everything and nothing is kept. */
function minimumCuts(model: LiveModel, search: SearchLimit): KeepEncoding[] {
  const { items, bytes, work } = model;
  let low = Number.POSITIVE_INFINITY;
  let high = 0;
  for (let item = 1; item < items; item++) {
    if (bytes[item]! <= 0 || work[item]! <= 0) continue;
    const price = bytes[item]! / work[item]!;
    low = Math.min(low, price);
    high = Math.max(high, price);
  }
  if (high === 0) return [];
  const cutter = new KeepByCut(model);
  const prices = isLarge(model) ? PRICES / 4 : PRICES;
  const seen = new Set<string>();
  const cuts: KeepEncoding[] = [];
  let tried = 0;
  for (const tilt of TILTS) {
    for (let i = 0; i < prices; i++) {
      if (search.look(CUT_LOOKS * items)) {
        search.leave('minimum-cuts', tried, TILTS.length * prices);
        return cuts;
      }
      tried++;
      const keep = cutter.keepAt(high * (low / high) ** ((i + 0.5) / prices), tilt);
      const key = keep.join('');
      if (seen.has(key)) continue;
      seen.add(key);
      cuts.push(keep);
    }
  }
  return cuts;
}
