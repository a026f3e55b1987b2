import { exactBytes, formatBytes } from '../../bytes.ts';
import { lowerBound } from '../../bounds/lower-bound.ts';
import { mostHeldBytes } from '../../bounds/values.ts';
import { InfeasibleError } from '../../errors.ts';
import { getOrCompute } from '../../get-or-compute.ts';
import { multiLevelSchedule } from '../../schedule/multi-level.ts';
import { NestedSearch } from '../budget/nested-search.ts';
import { isListed, listPlans } from '../budget/plan-list.ts';
import { ExactSearch, exactApplies } from '../exact/exact.ts';
import { type LowestPeak, lowestPeak } from '../live/lowest-peak.ts';
import { memoryPoor } from '../memory-poor.ts';
import { movesOfFront, movesWithin } from '../search/annealing-effort.ts';
import { type Candidate, isTwiceAtMost, judgeKeep } from '../search/candidate.ts';
import { KEEP_ALL, type KeepEncoding } from '../search/keep-encoding.ts';
import { type LiveModel, liveModel } from '../search/live-model.ts';
import { givenOrder } from '../search/orders.ts';
import { RepeatedRecompute } from '../search/repeated-recompute.ts';
import type { SearchLimit } from '../search/search-limit.ts';
import { isLarge } from '../search/size-threshold.ts';
import type { Claim } from '../strategy/claim.ts';
import { NO_CONTROL, type Problem } from '../strategy/strategy.ts';
import { CutSearches } from './cut-searches.ts';
import { KnownPlans, type Source } from './known-plans.ts';
import type { Peer } from './peer-plans.ts';
import { PeerQuestions } from './peer-questions.ts';
import type { PlanFront } from './plan-front.ts';

/** A schedule within a budget, and how it was found. */
export interface BudgetCandidate extends Candidate {
  readonly claim: Claim;
}

/** Work of the search by minimum cuts and annealing, a vertex: its place, and that of blocks, among the peers. */
const CUTS_LOOKS = 50_000;
/** Up to so many vertices nested segments are searched though other plans fit. */
const NESTED_SIZE = 400;
/** Up to so many vertices plans that recompute repeatedly are made, and budgets above the one asked for are searched. */
const WIDE_SIZE = 2000;
/** Up to so many vertices storing nothing is tried beside nested segments: it takes O(V²) steps. */
const POOR_SIZE = 1200;
/** On larger graphs nested segments that take more forwards are left out. */
const MAX_FORWARDS = 64;
/** Budgets of a front, between the lowest peak of one level and no recompute; and those of its first round. */
const FRONT_BUDGETS = 24;
const FIRST_BUDGETS = 6;
/** Shares of regular's peak that a front of a large graph asks about first. */
const QUARTERS = [0.5, 0.75, 0.25];
/** Every so many budgets of a front the peers that take one are asked. */
const PEER_EVERY = 3;
/** Chains of blocks of more vertices are long. */
const LONG_CHAIN = 1000;
/** One in so many budgets of a front is asked first, and the others where that saved so much of a forward. */
const SAMPLE_EVERY = 8;
const WORTH = 0.005;
/** Budgets below the lowest peak of one level at which they are asked too. */
const LOW_BUDGETS = 8;

/** A list of plans that no limit cut short, and the work of making it. */
interface KnownList {
  readonly plans: readonly Candidate[];
  readonly looks: number;
}

/** Lists by seed. */
const lists = new WeakMap<Problem, Map<number, KnownList>>();

/**
 * The anytime planner: keeps the best plans known for every budget at once, and feeds them from sources in the order of
 * what these cost. Everything kept; a path of cuts; peers that take a budget, and minimum cuts with annealing among
 * them; peers that take none; nested segments; repeated recompute; the lowest peak of one level, and what leads on from
 * there. A search that ends early answers from what is known by then.
 *
 * - Source: Zigzag.
 * - Guarantee: every plan is judged by the simulator; what it knows never gets worse. Little graphs: exact (exact/). Up to
 *   64 vertices a list that depends on no budget (budget/plan-list.ts).
 * - Time: the sum of its sources', each stated where it is made; the front itself O(plans) a plan. Space O(V) a plan on it.
 */
export class Planner {
  readonly front: PlanFront;
  readonly #problem: Problem;
  readonly #search: SearchLimit;
  readonly #seed: number;
  readonly #known: KnownPlans;
  readonly #peers: PeerQuestions;
  readonly #exact: ExactSearch | null;
  readonly #given: LiveModel;
  readonly #cuts: CutSearches;
  #budgets: readonly number[] | null = null;
  #lowest: LowestPeak | null = null;
  #repeated: RepeatedRecompute | null = null;
  #least: { readonly least: Candidate; readonly isExact: boolean } | null = null;

  /** @param seed of strategies that draw */
  constructor(problem: Problem, search: SearchLimit, seed: number, onChange?: (front: PlanFront) => void) {
    this.#problem = problem;
    this.#search = search;
    this.#seed = seed;
    this.#known = new KnownPlans(problem, search, onChange);
    this.front = this.#known.front;
    this.#peers = new PeerQuestions(this.#known, seed);
    this.#exact = exactApplies(problem) ? new ExactSearch(problem, search) : null;
    this.#given = liveModel(problem.graph, problem.memory, givenOrder(problem.graph));
    this.#cuts = new CutSearches(this.#known, this.#given);
    this.#known.offer([judgeKeep(problem, this.#given, keepAll(this.#given))]);
  }

  /** The plan of least peak known that recomputes nothing. */
  get regular(): Candidate {
    return this.#known.regular;
  }

  /** The plan of least peak found with each tensor recomputed at most once. */
  get lowest(): LowestPeak {
    if (this.#lowest === null) {
      const others = (): readonly Candidate[] => {
        this.#known.once('peers', () => this.#peers.quick().forEach((source) => void source()));
        return this.#known.free;
      };
      const found = lowestPeak(this.#problem, this.#search, others);
      this.#lowest = found;
      const { model } = found.fromCuts;
      this.#known.offer([found, found.paper, judgeKeep(this.#problem, model, keepAll(model))]);
    }
    return this.#lowest;
  }

  /** Budgets at which a front is searched, rising, closer together at the low end, where recompute grows fastest. */
  get frontBudgets(): readonly number[] {
    const low = this.lowest.peakBytes;
    this.#budgets ??= between(low, this.regular.peakBytes, FRONT_BUDGETS);
    return this.#budgets;
  }

  /**
   * The schedule of least recompute found within a budget: exact on little graphs, from the list where there is one.
   *
   * @throws InfeasibleError when no schedule known is within the budget
   */
  within(budget: number): BudgetCandidate {
    const isProved = this.#exact !== null && this.#isExactWithin(this.#exact, budget);
    const isDone = (): boolean => isProved || this.front.within(budget)?.recomputeWork === 0;
    this.#known.run(this.#sourcesWithin(budget), isDone);
    const found = this.front.within(budget) ?? (isProved ? null : this.#leastWithin(budget));
    if (found === null) throw this.#infeasible(budget);
    return { ...found, claim: isProved ? { kind: 'exact-recompute' } : this.#claimOf(found) };
  }

  /** Effort for each of the budgets of a front, which are asked about from the highest down. */
  get #effortOfFront() {
    return { moves: movesOfFront(this.#problem.graph.size), isFalling: true };
  }

  /** The least recompute of one level within a budget, with less effort: for one of many budgets. */
  nearby(budget: number): void {
    this.#known.once(`nearby ${budget}`, () =>
      this.#cuts.fromLowest(this.lowest, budget, this.#effortOfFront),
    );
  }

  /** Searches the whole front: each point exactly on little graphs, else what `within` searches at budgets of its choice. */
  explore(): void {
    if (this.#exact !== null && this.#isWalked(this.#exact)) return;
    const bound = lowerBound(this.#problem).bytes;
    const first = between(bound, this.regular.peakBytes, FIRST_BUDGETS).toReversed();
    const nearBlocks = (budgets: readonly number[]): Source[] =>
      budgets.map((bytes) => () => this.#cuts.nearBlocks(bytes));
    this.#known.run([
      // Minimum cuts of a large graph may take all of the limit.
      ...(isLarge(this.#given) && !this.#cuts.hasBlocks
        ? [...QUARTERS.map((share) => share * this.regular.peakBytes), ...first].map(
            (bytes) => () => this.#cuts.fromPath(bytes),
          )
        : []),
      ...(this.#isLongChain
        ? nearBlocks(first)
        : first.map((bytes) => () => this.#cuts.fromCuts(bytes, this.#effortOfFront))),
      ...this.#peers.quick(),
      () => void this.lowest,
      () => this.#known.run(nearBlocks(this.frontBudgets)),
      () => this.#whereWorth(this.frontBudgets, (bytes) => this.nearby(bytes)),
      ...(isListed(this.#problem) ? [...this.#budgetFree(), () => this.#list()] : [() => this.#nested()]),
      () => this.#allRepeated(),
      () => void this.least,
      () => this.#known.run(this.#sourcesWithin(this.least.least.peakBytes)),
      () => {
        const low = between(this.least.least.peakBytes, this.lowest.peakBytes, LOW_BUDGETS);
        const shared = this.frontBudgets.filter((_, i) => i % PEER_EVERY === 0);
        for (const peer of this.#peers.takers)
          this.#whereWorth([...low, ...shared, this.regular.peakBytes], (bytes) =>
            this.#peers.ask(peer, bytes),
          );
      },
    ]);
  }

  /** True where blocks are known to lead to plans that other searches seldom better, and these take long. */
  get #isLongChain(): boolean {
    return this.#cuts.hasBlocks && this.#problem.graph.size > LONG_CHAIN;
  }

  /** Asks at budgets of a front, highest first: of a long chain at peaks of some plans first, and on only if that found more. */
  #whereWorth(budgets: readonly number[], ask: (budget: number) => void): void {
    const askAll = (some: readonly number[]): void =>
      this.#known.run(some.toReversed().map((bytes) => () => ask(bytes)));
    if (this.#isLongChain) {
      const { plans } = this.front;
      const samples = budgets
        .filter((_, i) => i % SAMPLE_EVERY === SAMPLE_EVERY / 2)
        .flatMap((budget) => plans.find(({ peakBytes }) => peakBytes >= budget) ?? []);
      askAll(samples.map(({ peakBytes }) => peakBytes));
      const most = WORTH * this.front.forwardWork;
      const isWorth = ({ peakBytes, recomputeWork }: Candidate): boolean =>
        recomputeWork - this.front.within(peakBytes)!.recomputeWork > most;
      if (!samples.some(isWorth)) return;
    }
    askAll(budgets);
  }

  /** The schedule of the least peak known, of the least there is where that was searched exactly. */
  get least(): { readonly least: Candidate; readonly isExact: boolean } {
    if (this.#least !== null) return this.#least;
    void this.lowest;
    this.#nested();
    if (isListed(this.#problem)) this.#allRepeated();
    this.#peers.descend();
    const { peakBytes } = this.front.lowest!;
    const exact = this.#exact?.leastPeak(peakBytes, lowerBound(this.#problem).bytes) ?? null;
    if (exact?.schedule != null) this.front.add(exact.schedule);
    this.#least = { least: this.front.lowest!, isExact: exact !== null };
    return this.#least;
  }

  #sourcesWithin(budget: number): Source[] {
    const { size } = this.#problem.graph;
    const { takers } = this.#peers;
    const ask =
      (peer: Peer): Source =>
      () =>
        this.#peers.ask(peer, budget);
    if (isListed(this.#problem)) {
      return [
        ...takers.map(ask),
        ...this.#budgetFree(),
        () => {
          if (this.front.within(budget) !== null) this.#list();
        },
      ];
    }
    const cuts = takers.filter(({ looks }) => looks < CUTS_LOOKS * size).length;
    const isWide = size <= WIDE_SIZE;
    const isNested = (): boolean => size <= NESTED_SIZE || this.front.within(budget) === null;
    return [
      () => this.#cuts.fromPath(budget),
      ...takers.slice(0, cuts).map(ask),
      () => this.#cuts.fromBlocks(budget, movesWithin(size) / 8),
      () => this.#cuts.fromCuts(budget, { moves: movesWithin(size) / 2 }),
      ...takers.slice(cuts).map(ask),
      ...this.#peers.quick(),
      () => {
        if (isNested()) this.#nested();
      },
      ...(isWide ? [() => this.#repeatedWithin(budget)] : []),
      () => void this.lowest,
      () => this.#cuts.fromLowest(this.lowest, budget, { moves: movesWithin(size) }),
      ...(isWide ? [() => this.#frontAbove(budget)] : []),
    ];
  }

  /** Records a front's plans at its two budgets: they may fit from here on. */
  #frontAbove(budget: number): void {
    const above = this.frontBudgets.filter((bytes) => bytes >= budget).slice(0, 2);
    for (const bytes of above) this.nearby(bytes);
  }

  #nested(): void {
    this.#known.once('nested', () => {
      const { graph, memory } = this.#problem;
      const model = this.#lowest?.fromCuts.model ?? this.#given;
      const points = new NestedSearch(model).points(this.#search, (done) => this.#search.tick(0.9 * done));
      const most = graph.size > POOR_SIZE ? MAX_FORWARDS * this.front.forwardWork : Number.POSITIVE_INFINITY;
      this.#known.offerSchedules(
        points
          .filter(({ work }) => work <= most)
          .map((point) => multiLevelSchedule(graph, memory, model.order, point)),
      );
      if (graph.size > POOR_SIZE) return;
      const poor = memoryPoor.plan(this.#problem, { seed: 0 }, NO_CONTROL);
      if (poor.applicable) this.#known.offerSchedules([poor.schedule]);
    });
  }

  get #repeats(): RepeatedRecompute {
    const { starts } = this.#cuts.finder;
    this.#repeated ??= new RepeatedRecompute(this.#problem, this.#given, starts, this.#search);
    return this.#repeated;
  }

  #allRepeated(): void {
    if (this.#problem.graph.size > WIDE_SIZE) return;
    this.#known.once('repeated', () => this.#known.offer(this.#repeats.all));
  }

  #repeatedWithin(budget: number): void {
    const found = this.#repeats.within(budget);
    if (found !== null) this.front.offer([found]);
  }

  /** Sources that depend on no budget asked for, where there is a list. */
  #budgetFree(): Source[] {
    return [
      ...this.#peers.quick(),
      () => void this.lowest,
      () => this.#nested(),
      () => this.#allRepeated(),
      ...this.#peers.takersOwn(),
    ];
  }

  /** Plans from the list, which starts from those that depend on no budget asked for. */
  #list(): void {
    this.#known.once('list', () => {
      const search = this.#search;
      const bySeed = getOrCompute(lists, this.#problem, () => new Map<number, KnownList>());
      const { plans } = search.once(bySeed, this.#seed, 0, () => {
        const before = search.looksSpent;
        const finders = this.#cuts.findersFrom(this.lowest).map(({ finder, known }) => ({
          finder,
          known,
          judged: (keep: KeepEncoding) => judgeKeep(this.#problem, finder.model, keep),
        }));
        const tick = (done: number): void => search.tick(done);
        const found = listPlans(this.#problem, this.#known.free, finders, search, tick);
        return { plans: found, looks: search.looksSpent - before };
      });
      this.#known.offer(plans);
    });
  }

  /** True where the least recompute within a budget was searched exactly; what was found is on the front. */
  #isExactWithin(exact: ExactSearch, budget: number): boolean {
    void this.lowest;
    const known = this.front.within(budget);
    const least = exact.leastWork(budget, known?.recomputeWork ?? Number.POSITIVE_INFINITY);
    if (least === null) return false;
    if (least.schedule !== null) this.front.add(least.schedule);
    return true;
  }

  /** True where the whole front of a little graph was found, point by point, each exactly. */
  #isWalked(exact: ExactSearch): boolean {
    const low = lowerBound(this.#problem).bytes;
    void this.lowest;
    // A budget below the bound is met by nothing.
    for (let budget = this.regular.peakBytes - 1; budget >= low; ) {
      if (!this.#isExactWithin(exact, budget)) return false;
      const found = this.front.within(budget);
      if (found === null) return true;
      budget = found.peakBytes - 1;
    }
    return true;
  }

  #leastWithin(budget: number): Candidate | null {
    void this.least;
    return this.front.within(budget);
  }

  #infeasible(budget: number): InfeasibleError {
    const { least, isExact } = this.least;
    const { peakBytes } = least;
    const held = mostHeldBytes(this.#problem.graph, this.#problem.memory);
    const name = peakBytes === this.lowest.peakBytes ? 'live' : 'budget';
    return new InfeasibleError(
      `no ${isExact ? '' : 'known '}schedule fits ${formatBytes(budget)}: the least reachable is ` +
        `${exactBytes(peakBytes)}, with ${name}` +
        (isExact ? '' : `; every schedule needs ${exactBytes(lowerBound(this.#problem).bytes)} or more`) +
        (4 * held > budget
          ? `; no plan frees what the program itself holds, up to ${formatBytes(held)} at once`
          : ''),
      peakBytes,
    );
  }

  #claimOf({ schedule, recomputeWork }: Candidate): Claim {
    if (recomputeWork === 0) return { kind: 'no-recompute' };
    return { kind: 'recompute-found', nested: !isTwiceAtMost(schedule, this.#problem.graph.size) };
  }
}

const keepAll = ({ items }: LiveModel): KeepEncoding => new Int32Array(items).fill(KEEP_ALL);

/** So many budgets from one up to another, which is left out, closer together at the low end. */
const between = (low: number, high: number, count: number): number[] =>
  low < high ? Array.from({ length: count }, (_, i) => Math.floor(low * (high / low) ** (i / count))) : [];
