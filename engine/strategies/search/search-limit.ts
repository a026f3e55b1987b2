import { BadInputError } from '../../errors.ts';
import type { Searched, SearchStop } from './search-stop.ts';
import type { Control, StrategyOptions } from '../strategy/strategy.ts';

/** Work of a search where no limit is given, in seconds of LOOKS_PER_SECOND. */
export const DEFAULT_LIMIT_SECONDS = 10;
/** The same of `milp`, which proves what it finds. */
export const MILP_LIMIT_SECONDS = 20;
/** Seconds of the clock after which a search ends where no limit is given: many times what its work takes on an idle core. */
export const CAP_SECONDS = 120;
/** Work that counts as a second: elements of arrays looked at, about what one core does. */
const LOOKS_PER_SECOND = 2e8;
/** The rest of the time is left for what must be done with what was found. */
export const SEARCH_SHARE = 0.85;
/** Looks between two looks at the clock: a few milliseconds. */
const LOOKS_A_CHECK = 1e6;

/**
 * How long a search goes on. Where no limit is given it is so much work, so that the same question has the same answer
 * however busy the machine is; a clock that the caller brings (`now`) ends it after a generous cap only. Where a limit is
 * given the clock decides, and without one as much work as counts for it.
 */
export class SearchLimit implements Control {
  readonly #control: Control;
  readonly #seconds: number;
  readonly #clockSeconds: number;
  readonly #now: (() => number) | undefined;
  readonly #end: number;
  readonly #looks: number;
  #looksLeft: number;
  #looksSpent = 0;
  #untilCheck = LOOKS_A_CHECK;
  #done = 0;
  #told = 0;
  #from = 0;
  #span = 1;
  #by: SearchStop['by'] | null = null;
  readonly #unfinished = new Map<Searched, { tried: number; of: number | null }>();

  /** @throws BadInputError for a limit that is no positive number of seconds */
  constructor(
    options: Pick<StrategyOptions, 'timeLimitSeconds' | 'now'>,
    control: Control,
    defaultSeconds = DEFAULT_LIMIT_SECONDS,
  ) {
    this.#control = control;
    const given = limitOf(options);
    const { now } = options;
    this.#seconds = given ?? defaultSeconds;
    this.#now = now;
    this.#looks =
      given !== undefined && now !== undefined ? Number.POSITIVE_INFINITY : this.#seconds * LOOKS_PER_SECOND;
    this.#looksLeft = this.#looks;
    this.#clockSeconds = given ?? CAP_SECONDS;
    const share = given === undefined ? 1 : SEARCH_SHARE;
    this.#end = now === undefined ? 0 : now() + share * 1000 * this.#clockSeconds;
  }

  tick(done: number): void {
    this.#done = done;
    this.#check();
  }

  /** Does a part of the whole, whose own shares done lie between `from` and `to` of the whole. */
  part<Result>(from: number, to: number, run: () => Result): Result {
    const [outerFrom, outerSpan] = [this.#from, this.#span];
    this.#from = outerFrom + from * outerSpan;
    this.#span = (to - from) * outerSpan;
    this.#done = 0;
    const result = run();
    this.#from = outerFrom;
    this.#span = outerSpan;
    this.#done = to;
    return result;
  }

  /** Counts work, asks now and then whether to go on, and says whether the limit is reached. */
  look(looks: number): boolean {
    this.#looksLeft -= looks;
    this.#looksSpent += looks;
    this.#untilCheck -= looks;
    if (this.#untilCheck <= 0) this.#check();
    return this.#by !== null;
  }

  /** Work counted so far. */
  get looksSpent(): number {
    return this.#looksSpent;
  }

  /**
   * Searches once for a key, where no limit cuts that short. The work counts each time, so that no answer depends on what
   * was asked before.
   *
   * @param spare work that must be left after it, or it is searched again
   */
  once<Key, Found extends { readonly looks: number }>(
    ended: { get(key: Key): Found | undefined; set(key: Key, found: Found): unknown },
    key: Key,
    spare: number,
    searched: () => Found,
  ): Found {
    const known = ended.get(key);
    if (known !== undefined && !this.isReached && this.#looksLeft > known.looks + spare) {
      if (!this.look(known.looks)) return known;
    }
    const found = searched();
    if (!this.isReached) ended.set(key, found);
    return found;
  }

  /** Counts work of a solver, in seconds of an idle core, and says whether the limit is reached. */
  spend(seconds: number): boolean {
    this.#looksLeft -= seconds * LOOKS_PER_SECOND;
    const isWork = this.#looks !== Number.POSITIVE_INFINITY;
    const left = isWork ? this.#looksLeft / this.#looks : this.clockSecondsLeft / this.#clockSeconds;
    this.tick(1 - Math.max(0, left));
    return this.isReached;
  }

  /** Seconds until the clock ends the search; the cap where the caller brings no clock. */
  get clockSecondsLeft(): number {
    return this.#now === undefined ? CAP_SECONDS : Math.max(0, (this.#end - this.#now()) / 1000);
  }

  /** Notes that a solver's own clock ended it. */
  endByClock(): void {
    this.#by ??= 'clock';
  }

  /** Looks at the clock and asks whether to go on, counting nothing: for work that was counted before. */
  poll(): boolean {
    this.#check();
    return this.#by !== null;
  }

  get isReached(): boolean {
    return this.#by !== null;
  }

  /** Notes what the limit left out; numbers of the same kind add up. */
  leave(what: Searched, tried: number, of: number | null): void {
    const known = this.#unfinished.get(what);
    const all = known === undefined ? of : known.of === null || of === null ? null : known.of + of;
    this.#unfinished.set(what, { tried: (known?.tried ?? 0) + tried, of: all });
  }

  /** How the search ended; empty when it was complete. */
  get ending(): { readonly stopped?: SearchStop } {
    if (this.#by === null || this.#unfinished.size === 0) return {};
    const unfinished = [...this.#unfinished].map(([what, { tried, of }]) => ({
      what,
      tried: Math.floor(tried),
      of: of === null ? null : Math.ceil(of),
    }));
    const limitSeconds = this.#by === 'clock' ? this.#clockSeconds : this.#seconds;
    return { stopped: { limitSeconds, by: this.#by, unfinished } };
  }

  #check(): void {
    this.#untilCheck = LOOKS_A_CHECK;
    // Parts may run again: what was told once stays.
    this.#told = Math.max(this.#told, Math.min(1, this.#from + this.#span * this.#done));
    this.#control.tick(this.#told);
    if (this.#by !== null) return;
    if (this.#now !== undefined && this.#now() >= this.#end) this.#by = 'clock';
    else if (this.#looksLeft <= 0) this.#by = 'work';
  }
}

/** The options that a strategy with a search limit reads. */
export const READS_TIME_LIMIT = { timeLimitSeconds: 'takes' } as const;

/** The time limit, if there is one. */
export function limitOf({ timeLimitSeconds }: Pick<StrategyOptions, 'timeLimitSeconds'>): number | undefined {
  if (timeLimitSeconds === undefined) return undefined;
  if (!Number.isFinite(timeLimitSeconds) || timeLimitSeconds <= 0) {
    throw new BadInputError(
      `expected a positive number of seconds, got ${timeLimitSeconds}`,
      'timeLimitSeconds',
    );
  }
  return timeLimitSeconds;
}
