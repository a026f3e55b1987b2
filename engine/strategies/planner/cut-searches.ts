import { lowerBound } from '../../bounds/lower-bound.ts';
import { isSame } from '../../typed-arrays.ts';
import { type Effort, LeastRecompute } from '../budget/least-recompute.ts';
import type { LowestPeak } from '../live/lowest-peak.ts';
import { judgeKeep, type KeptOrder } from '../search/candidate.ts';
import { BlockPath } from '../search/block-path.ts';
import { CutPath } from '../search/cut-path.ts';
import type { KeepEncoding } from '../search/keep-encoding.ts';
import type { LiveModel } from '../search/live-model.ts';
import { isLarge } from '../search/size-threshold.ts';
import type { KnownPlans } from './known-plans.ts';

/** Up to so many vertices blocks are searched: they take seconds above. */
const BLOCKS_SIZE = 10_000;
/** A peak above a budget by up to this share is near it: less than from one budget of a front to the next. */
const NEAR = 0.05;
/** From one limit on a path of cuts to the next. */
const PATH_RATIO = 1.5;

type CutEffort = Pick<Effort, 'moves' | 'isFalling'>;

/** A search by minimum cuts under one order, and where it may start. */
interface Finder {
  readonly finder: LeastRecompute;
  readonly known: readonly KeepEncoding[];
  /** More starts, the best of which is annealed beside. */
  readonly others?: readonly KeptOrder[];
}

/** The planner's searches by blocks, minimum cuts and annealing: under the given order, and under that of the lowest peak. */
export class CutSearches {
  readonly #known: KnownPlans;
  readonly #given: LiveModel;
  #cuts: LeastRecompute | null = null;
  #others: LeastRecompute | null = null;
  #path: KeepEncoding | null = null;
  #blocks: BlockPath | null | undefined = undefined;

  constructor(known: KnownPlans, given: LiveModel) {
    this.#known = known;
    this.#given = given;
  }

  /** The search under the given order. */
  get finder(): LeastRecompute {
    this.#cuts ??= new LeastRecompute(this.#given, this.#known.search);
    return this.#cuts;
  }

  /** True where the network is a chain of blocks, and not so long that their search takes minutes. */
  get hasBlocks(): boolean {
    return this.#blockPath?.hasBlocks ?? false;
  }

  get #blockPath(): BlockPath | null {
    if (this.#blocks === undefined)
      this.#blocks = this.#given.order.length <= BLOCKS_SIZE ? new BlockPath(this.#given) : null;
    return this.#blocks;
  }

  /** The search under the order of the lowest peak, where it is another, and that under the given one. */
  findersFrom({ fromCuts, choices }: LowestPeak): readonly Finder[] {
    const known = [...new Set([choices[0]!, fromCuts])];
    const others = choices.filter((choice) => !known.includes(choice));
    const startsOf = (finder: LeastRecompute): Finder => {
      const under = (some: readonly KeptOrder[]): KeptOrder[] =>
        some.filter(({ model }) => isSame(model.order, finder.model.order));
      return { finder, known: under(known).map(({ keep }) => keep), others: under(others) };
    };
    if (isSame(fromCuts.model.order, this.#given.order)) return [startsOf(this.finder)];
    this.#others ??= new LeastRecompute(fromCuts.model, this.#known.search);
    return [startsOf(this.#others), startsOf(this.finder)];
  }

  /** Minimum cuts under the given order, brought within the budget and annealed. */
  fromCuts(budget: number, effort: CutEffort): void {
    this.#anneal({ finder: this.finder, known: this.#path === null ? [] : [this.#path] }, budget, effort);
  }

  /** The best of each block, where the network is a chain of them, brought within the budget and annealed. */
  fromBlocks(budget: number, moves: number): void {
    const found = this.#blocksWithin(budget, 0);
    if (found === null) return;
    this.#improve(found, budget, 0);
    this.#improve(found, budget, moves);
  }

  /** The same near a budget, not annealed: for one of many, where a peak a little above is as good. */
  nearBlocks(budget: number): void {
    const found = this.#blocksWithin(budget, NEAR);
    if (found !== null) this.#improve(found, Math.max(budget, found.peak), 0);
  }

  #improve({ keep }: KeptOrder, budget: number, moves: number): void {
    const { front, problem, search } = this.#known;
    const effort = { moves, tick: (done: number) => search.tick(done), isKnownOnly: true, ends: [keep] };
    const better = this.finder.within(budget, [], effort);
    if (better !== null) front.offer([judgeKeep(problem, this.#given, better)]);
  }

  #blocksWithin(budget: number, slack: number): KeptOrder | null {
    const { front, search } = this.#known;
    const known = front.within(budget)?.recomputeWork ?? Number.POSITIVE_INFINITY;
    return this.#blockPath?.within(budget, known, search, slack) ?? null;
  }

  /** The same from the plans of lowest peak, under their order and the given one. */
  fromLowest(lowest: LowestPeak, budget: number, { moves, ...effort }: CutEffort): void {
    const finders = this.findersFrom(lowest);
    const isOpen = lowest.peakBytes <= budget && this.#known.regular.peakBytes > budget;
    if (!isOpen) return;
    for (const one of finders) this.#anneal(one, budget, { ...effort, moves: moves / finders.length });
  }

  #anneal({ finder, known, others = [] }: Finder, budget: number, effort: CutEffort): void {
    const { front, problem, search } = this.#known;
    const ends = others.filter(({ peak }) => peak <= budget).map(({ keep }) => keep);
    const keep = finder.within(budget, known, { ...effort, ends, tick: (done) => search.tick(done) });
    if (keep !== null) front.offer([judgeKeep(problem, finder.model, keep)]);
  }

  /** A path of cuts, and what else has room: milliseconds where minimum cuts take a second, and `dtr` at a tight budget. */
  fromPath(budget: number): void {
    const { front, problem, search } = this.#known;
    const path = this.#pathWithin(budget);
    if (path === null) return;
    front.offer([judgeKeep(problem, this.#given, path)]);
    const tick = (done: number): void => search.tick(done);
    const keep = this.finder.within(budget, [path], { moves: 0, tick, isKnownOnly: true });
    if (keep === null) return;
    front.offer([judgeKeep(problem, this.#given, keep)]);
    // Smaller graphs are annealed from minimum cuts alone.
    if (isLarge(this.#given)) this.#path = keep;
  }

  /** A path of cuts within a budget, of a low limit, which is found fast: its segments are short. */
  #pathWithin(budget: number): KeepEncoding | null {
    const { problem, search } = this.#known;
    const path = new CutPath(this.#given);
    for (let limit = lowerBound(problem).bytes; ; limit = Math.min(budget, PATH_RATIO * limit)) {
      const cuts = path.cutsWithin(limit, search);
      if (cuts !== null) return path.keepOf(cuts);
      if (limit >= budget || search.isReached) return null;
    }
  }
}
