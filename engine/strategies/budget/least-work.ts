import { exactBytes, formatBytes } from '../../bytes.ts';
import { lowerBound } from '../../bounds/lower-bound.ts';
import { InfeasibleError } from '../../errors.ts';
import { multiLevelSchedule } from '../../schedule/multi-level.ts';
import type { Schedule } from '../../schedule/schedule.ts';
import { chainDp, chainPlans } from '../chain/chain-dp.ts';
import type { Claim } from '../strategy/claim.ts';
import { Dtr } from '../dtr/dtr.ts';
import type { KeepEncoding } from '../search/keep-encoding.ts';
import { type Candidate, isBetter, judge, judgeKeep } from '../search/candidate.ts';
import { ExactSearch, exactApplies } from '../exact/exact.ts';
import { knapsackPlans, knapsackWithin } from '../knapsack/knapsack.ts';
import { type LowestPeak, lowestPeak } from '../live/lowest-peak.ts';
import { liveModel } from '../search/live-model.ts';
import { givenOrder } from '../search/orders.ts';
import { memoryPoor } from '../memory-poor.ts';
import { isTwiceAtMost, baselinePlans } from '../search/baseline-plans.ts';
import type { SearchLimit } from '../search/search-limit.ts';
import type { Control, Problem } from '../strategy/strategy.ts';
import { RepeatedRecompute } from '../search/repeated-recompute.ts';
import { LeastRecompute } from './least-recompute.ts';
import { movesOfFront } from '../search/annealing-effort.ts';
import { NestedSearch } from './nested-search.ts';
import { isListed, type Listed, listPlans } from './plan-list.ts';

/** A schedule within a budget, and how it was found. */
export interface BudgetCandidate extends Candidate {
  readonly claim: Claim;
}

/** Storing nothing takes O(V²) steps: not for larger graphs. */
const MAX_POOR = 3000;
/** Graphs up to this size are searched under a second order too. */
const TWO_ORDERS = 700;
/** Graphs up to this size are searched over nested segments, and the chain's dynamic programme is asked, at every budget. */
const MAX_ASKED = 400;
/** Graphs up to this size are asked what the front finds just above a budget. */
const MAX_FRONT = 2000;
/** Budgets of a front, between the lowest peak of one level and no recompute. */
const FRONT_BUDGETS = 24;
const CHAIN_LOOKS = 100_000;
/** Graphs up to this size are given to an online runtime (dtr/), too. */
const MAX_ONLINE = 3000;
/** At so many budgets between the lower bound and no recompute, where there is a list. */
const ONLINE_BUDGETS = 24;
const LOW_CHAINS = 20;
/** Of a minimum cut, a vertex. */
const CUT_LOOKS = 500;

export interface Effort {
  /** Moves of annealing, in all; where there is a list it has its own. */
  readonly moves: number;
  /**
   * Whether the chain's dynamic programme is asked for this very budget, and what a front finds at its two budgets just
   * above, whose plans may fit: a point of the front is then found again within its own peak. Not when absent.
   */
  readonly whole?: boolean;
  readonly tick: (done: number) => void;
}

interface Finder {
  readonly finder: LeastRecompute;
  readonly known: readonly KeepEncoding[];
}

/** Finds schedules of least recompute within any number of budgets; what they share is done once. */
export class LeastWork {
  readonly #problem: Problem;
  readonly #lowest: LowestPeak;
  readonly #finders: readonly Finder[];
  readonly #simple: readonly Candidate[];
  readonly #search: SearchLimit;
  readonly #exact: ExactSearch | null;
  readonly #seed: number;
  #known: readonly Candidate[] | null = null;
  #nested: readonly Candidate[] | null = null;
  #listed: readonly Candidate[] | null = null;
  #least: { readonly least: Candidate; readonly isExact: boolean } | null = null;
  #runtime: Dtr | null = null;
  #sacked: readonly Candidate[] | null = null;
  #repeated: RepeatedRecompute | null = null;

  /** @param seed of strategies that draw */
  constructor(problem: Problem, search: SearchLimit, seed: number) {
    this.#problem = problem;
    this.#search = search;
    this.#seed = seed;
    this.#exact = exactApplies(problem) ? new ExactSearch(problem, search) : null;
    this.#lowest = search.part(0, 0.4, () => lowestPeak(problem, search, seed));
    search.tick(0.4);
    const { fromCuts, choices } = this.#lowest;
    const known = [...new Set([choices[0]!, fromCuts])];
    const knownOf = (order: Int32Array): KeepEncoding[] =>
      known.filter(({ model }) => isSame(model.order, order)).map(({ keep }) => keep);
    const models = [{ model: fromCuts.model, known: knownOf(fromCuts.model.order) }];
    const given = givenOrder(problem.graph);
    if (problem.graph.size <= TWO_ORDERS && !isSame(fromCuts.model.order, given))
      models.push({ model: liveModel(problem.graph, problem.memory, given), known: knownOf(given) });
    this.#finders = models.map(({ model, known }) => ({ finder: new LeastRecompute(model, search), known }));
    this.#simple = this.#finders.map(({ finder }) => judgeKeep(problem, finder.model, finder.starts[0]!));
  }

  get lowest(): Candidate {
    return this.#lowest;
  }

  /** Everything kept, under the order of least peak: no recompute. */
  get regular(): Candidate {
    return this.#simple.reduce((a, b) => (b.peakBytes < a.peakBytes ? b : a));
  }

  /**
   * The schedule of least recompute found within a budget: exact on little graphs, from the list where there is one.
   *
   * @throws InfeasibleError when no schedule known is within the budget
   */
  within(budget: number, effort: Effort): BudgetCandidate {
    const exact = this.#exact;
    if (exact === null) return this.#searched(budget, effort);
    const known = leastOf([...this.#simple, this.#lowest, this.#lowest.paper], budget);
    const least = exact.leastWork(budget, known?.recomputeWork ?? Number.POSITIVE_INFINITY);
    // It gave up.
    if (least === null) return this.#searched(budget, effort);
    const found = least.schedule === null ? known : judge(this.#problem, least.schedule);
    if (found === null) throw this.#infeasible(budget, effort.tick);
    return { ...found, claim: { kind: 'exact-recompute' } };
  }

  /** Budgets at which a front is searched, rising, closer together at the low end, where recompute grows fastest. */
  get frontBudgets(): readonly number[] {
    const [low, high] = [this.#lowest.peakBytes, this.regular.peakBytes];
    if (high <= low) return [];
    return Array.from({ length: FRONT_BUDGETS }, (_, i) =>
      Math.floor(low * (high / low) ** (i / FRONT_BUDGETS)),
    );
  }

  #searched(budget: number, { moves, tick, whole = false }: Effort): BudgetCandidate {
    const plans = this.#found(budget, moves, tick);
    const more = whole
      ? [
          ...this.#chain(budget),
          ...this.#online(budget),
          ...this.#knapsack(budget),
          ...this.#forgetting(budget),
          ...this.#frontAbove(budget),
        ]
      : [];
    const found = leastOf([...plans, ...more], budget) ?? leastOf([this.least(tick).least], budget);
    if (found === null) throw this.#infeasible(budget, tick);
    return { ...found, claim: this.#claimOf(found) };
  }

  /** All that depends on no budget, the list where there is one. */
  found(tick: (done: number) => void): readonly Candidate[] {
    return [...(this.#listed ?? [...this.#others(tick), ...this.#sacks()]), ...this.nested(tick)];
  }

  /** Schedules that depend on no budget, judged: the other strategies' and, where there is a list, nested segments. */
  #others(tick: (done: number) => void): readonly Candidate[] {
    if (this.#known !== null) return this.#known;
    const { others } = this.#lowest;
    const asked =
      others.length > 0
        ? others
        : baselinePlans(this.#problem, { seed: this.#seed }, this.#search).map((schedule) =>
            judge(this.#problem, schedule),
          );
    const known = [...this.#simple, this.#lowest, this.#lowest.paper, ...asked];
    if (isListed(this.#problem)) {
      const control = { tick: () => void this.#search.look(CHAIN_LOOKS) };
      const chains = chainPlans(this.#problem, this.regular.peakBytes, control);
      known.push(...this.nested(tick), ...chains.map((schedule) => judge(this.#problem, schedule)));
      for (const bytes of this.#onlineBudgets()) known.push(...this.#online(bytes));
    }
    this.#known = known;
    return known;
  }

  /** Schedules of nested segments, judged; by falling peak. */
  nested(tick: (done: number) => void): readonly Candidate[] {
    if (this.#nested !== null) return this.#nested;
    const { graph, memory } = this.#problem;
    const { model } = this.#lowest.fromCuts;
    const found = new NestedSearch(model)
      .points(this.#search, (done) => tick(0.9 * done))
      .map((point) => {
        tick(0.9);
        return judge(this.#problem, multiLevelSchedule(graph, memory, model.order, point));
      });
    found.push(this.#poor());
    this.#nested = found.sort((a, b) => b.peakBytes - a.peakBytes);
    return this.#nested;
  }

  /** The schedule of the least peak known, of the least there is where that was searched exactly. */
  least(tick: (done: number) => void): { readonly least: Candidate; readonly isExact: boolean } {
    this.#least ??= this.#searchLeast(tick);
    return this.#least;
  }

  #searchLeast(tick: (done: number) => void): { readonly least: Candidate; readonly isExact: boolean } {
    const all = [...this.#others(tick), ...this.nested(tick), ...this.#sacks()];
    const known = [...all, ...this.#lowChains(all), ...this.#lowOnline()].reduce((a, b) =>
      isBetter(b, a) ? b : a,
    );
    const exact = this.#exact?.leastPeak(known.peakBytes, lowerBound(this.#problem).bytes) ?? null;
    const isExact = exact !== null;
    if (exact?.schedule == null) return { least: known, isExact };
    return { least: judge(this.#problem, exact.schedule), isExact };
  }

  /** What is searched for a budget, in whatever way the size of the graph allows. */
  #found(budget: number, moves: number, tick: (done: number) => void): readonly Candidate[] {
    if (isListed(this.#problem)) return this.#listedWithin(budget, tick);
    const isOpen = this.#lowest.peakBytes <= budget && this.regular.peakBytes > budget;
    const found = isOpen ? this.#recomputedOnce(budget, moves, tick) : [];
    const all = [...this.#others(tick), ...found];
    const isNested = this.#problem.graph.size <= MAX_ASKED || leastOf(all, budget) === null;
    return isNested ? [...all, ...this.nested(tick)] : all;
  }

  /** With each tensor recomputed at most once. */
  #recomputedOnce(budget: number, moves: number, tick: (done: number) => void): Candidate[] {
    return this.#finders.flatMap(({ finder, known }, i) => {
      const keep = finder.within(budget, known, {
        moves: moves / this.#finders.length,
        tick: (done) => tick((i + done) / this.#finders.length),
      });
      return keep === null ? [] : [judgeKeep(this.#problem, finder.model, keep)];
    });
  }

  /** What a front has at its two budgets from here on, where graphs have no list. */
  #frontAbove(budget: number): Candidate[] {
    const { size } = this.#problem.graph;
    if (isListed(this.#problem) || size > MAX_FRONT) return [];
    return this.frontBudgets
      .filter((above) => above >= budget)
      .slice(0, 2)
      .flatMap((above) => this.#recomputedOnce(above, movesOfFront(size), () => undefined));
  }

  /** What is known answers where nothing can be less, or where nothing fits. */
  #listedWithin(budget: number, tick: (done: number) => void): readonly Candidate[] {
    const known = [...this.#others(() => undefined), ...this.#sacks()];
    const found = leastOf(known, budget);
    if (found === null || found.recomputeWork === 0) return known;
    this.#listed ??= [...this.#list(tick), ...this.#sacks()];
    return this.#listed;
  }

  #list(tick: (done: number) => void): readonly Candidate[] {
    const problem = this.#problem;
    const finders = this.#finders.map(
      ({ finder, known }): Listed => ({
        finder,
        known,
        judged: (keep) => judgeKeep(problem, finder.model, keep),
      }),
    );
    return listPlans(
      problem,
      this.#others(() => undefined),
      finders,
      this.#search,
      tick,
    );
  }

  /** What the chain's dynamic programme has for the very budget. */
  #chain(budgetBytes: number): Candidate[] {
    if (this.#problem.graph.size > MAX_ASKED || this.#search.isReached) return [];
    try {
      const control = { tick: () => void this.#search.look(CHAIN_LOOKS) };
      const plan = chainDp.plan(this.#problem, { seed: this.#seed, budgetBytes }, control);
      return plan.applicable ? [judge(this.#problem, plan.schedule)] : [];
    } catch (error) {
      if (error instanceof InfeasibleError) return [];
      throw error;
    }
  }

  /** What the chain's dynamic programme reaches below everything else that is known. */
  #lowChains(known: readonly Candidate[]): readonly Candidate[] {
    const found: Candidate[] = [];
    let least = known.reduce((bytes, { peakBytes }) => Math.min(bytes, peakBytes), Number.POSITIVE_INFINITY);
    for (let i = 0; i < LOW_CHAINS && least > 1; i++) {
      const [lower] = this.#chain(least - 1);
      if (lower === undefined) break;
      found.push(lower);
      least = lower.peakBytes;
    }
    return found;
  }

  /** What an online runtime does within a budget. */
  #online(bytes: number): Candidate[] {
    return this.#byRuntime((runtime, control) => runtime.within(bytes, control));
  }

  /** All that a knapsack may keep and what forgets, beside the list, whose search does not start from it. */
  #sacks(): readonly Candidate[] {
    if (!isListed(this.#problem)) return [];
    this.#sacked ??= [...knapsackPlans(this.#problem, this.#looking), ...this.#repeatedRecompute.all];
    return this.#sacked;
  }

  /** What forgets between two parts of backward, where there is no list. */
  #forgetting(budget: number): Candidate[] {
    if (isListed(this.#problem) || this.#problem.graph.size > MAX_FRONT || this.#search.isReached) return [];
    const found = this.#repeatedRecompute.within(budget);
    return found === null ? [] : [found];
  }

  get #repeatedRecompute(): RepeatedRecompute {
    const { model, starts } = this.#finders[0]!.finder;
    this.#repeated ??= new RepeatedRecompute(this.#problem, model, starts, this.#search);
    return this.#repeated;
  }

  /** What a knapsack keeps within a budget, where there is no list. */
  #knapsack(bytes: number): Candidate[] {
    const { size } = this.#problem.graph;
    if (isListed(this.#problem) || size > MAX_FRONT || this.#search.isReached) return [];
    const found = knapsackWithin(this.#problem, bytes, this.#looking);
    return found === null ? [] : [found];
  }

  /** Cuts and the like count as so much work. */
  get #looking(): Control {
    return { tick: () => void this.#search.look(CUT_LOOKS * this.#problem.graph.size) };
  }

  #onlineBudgets(): number[] {
    const [low, high] = [lowerBound(this.#problem).bytes, this.regular.peakBytes];
    return Array.from({ length: ONLINE_BUDGETS }, (_, i) =>
      Math.ceil(low + ((high - low) * i) / ONLINE_BUDGETS),
    );
  }

  /** The least that it was seen to do with. */
  #lowOnline(): Candidate[] {
    return this.#byRuntime((runtime, control) => runtime.least(control));
  }

  #byRuntime(run: (runtime: Dtr, control: Control) => Schedule | null): Candidate[] {
    const { size } = this.#problem.graph;
    if (size > MAX_ONLINE || this.#search.isReached) return [];
    this.#runtime ??= new Dtr(this.#problem);
    const schedule = run(this.#runtime, { tick: () => void this.#search.look(size) });
    return schedule === null ? [] : [judge(this.#problem, schedule)];
  }

  #poor(): Candidate {
    if (this.#problem.graph.size > MAX_POOR) return this.#lowest;
    const plan = memoryPoor.plan(this.#problem, { seed: 0 }, { tick: () => undefined });
    return plan.applicable ? judge(this.#problem, plan.schedule) : this.#lowest;
  }

  #infeasible(budget: number, tick: (done: number) => void): InfeasibleError {
    const { least, isExact } = this.least(tick);
    const { peakBytes } = least;
    const name =
      peakBytes === this.#lowest.peakBytes
        ? 'live'
        : peakBytes === this.#poor().peakBytes
          ? 'memory-poor'
          : 'budget';
    return new InfeasibleError(
      `no schedule ${isExact ? 'at all' : 'known'} fits ${formatBytes(budget)}: the least reachable is ` +
        `${exactBytes(peakBytes)}, with ${name}` +
        (isExact ? '' : `; every schedule needs ${exactBytes(lowerBound(this.#problem).bytes)} or more`),
      peakBytes,
    );
  }

  #claimOf({ schedule, recomputeWork }: Candidate): Claim {
    if (recomputeWork === 0) return { kind: 'no-recompute' };
    return { kind: 'recompute-found', nested: !isTwiceAtMost(schedule, this.#problem.graph.size) };
  }
}

function isSame(order: Int32Array, other: Int32Array): boolean {
  return order.every((v, p) => v === other[p]);
}

/** Of the plans within a budget that of the least recompute, of these that of the lowest peak, of these the first. */
function leastOf(plans: readonly Candidate[], budget: number): Candidate | null {
  let best: Candidate | null = null;
  for (const plan of plans) {
    if (plan.peakBytes > budget) continue;
    const isLess =
      best === null ||
      plan.recomputeWork < best.recomputeWork ||
      (plan.recomputeWork === best.recomputeWork && plan.peakBytes < best.peakBytes);
    if (isLess) best = plan;
  }
  return best;
}
