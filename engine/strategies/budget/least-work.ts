import { formatBytes } from '../../bytes.ts';
import { InfeasibleError } from '../../errors.ts';
import { multiLevelSchedule } from '../../schedule/multi-level.ts';
import type { Claim } from '../claim.ts';
import { chainDp } from '../chain-dp.ts';
import type { Choices } from '../live/choice.ts';
import { type Candidate, judge, judgeKeep } from '../live/candidate.ts';
import { type KeptOrder, type LowestPeak, lowestPeak } from '../live/lowest-peak.ts';
import { liveModel } from '../live/live-model.ts';
import { unitOf } from '../live/best-cuts.ts';
import { givenOrder } from '../live/orders.ts';
import { isTwiceAtMost } from '../portfolio.ts';
import { memoryPoor } from '../memory-poor.ts';
import type { SearchLimit } from '../search-limit.ts';
import type { Problem } from '../strategy.ts';
import { type BudgetNode, BudgetTree } from './budget-tree.ts';
import { Exactly } from './exactly.ts';
import { LeastRecompute } from './least-recompute.ts';
import { movesWithin } from './moves.ts';
import { NestedSearch } from './nested-search.ts';

/** A schedule within a budget, and how it was found. */
export interface BudgetCandidate extends Candidate {
  readonly claim: Claim;
}

const CHAIN_LOOKS = 100_000;
/** Storing nothing takes O(V²) steps: not for larger graphs. */
const MOST_POOR = 3000;
/** Graphs up to this size are searched under a second order too. */
const TWO_ORDERS = 700;

/** Halvings of the budgets between the lowest peak and no recompute: cells of a four thousandth. */
const DEPTH = 12;
const SMALL_DEPTH = 18;
/** Halvings at which all starts are tried; at the others what is known at both ends is carried on. */
const STARTS = [0, 1, 2, 3, 5, 7];
/** Of those, where annealing takes its time. */
const ANNEALED = [3, 5, 6, 7];
/** Up to so many vertices everything is tried at all of them. */
const SMALL = 64;
/** Halvings from which the chain's dynamic programme is asked. */
const CHAIN = 7;
const CHAIN_SIZE = 400;
const LOW_CHAINS = 20;
/** Points of nested segments above so many times the lowest peak are not worth a schedule. */
const NESTED_PEAKS = 1.2;

/** Finds schedules of least recompute within any number of budgets; what they share is done once. */
export class LeastWork {
  readonly #problem: Problem;
  readonly #search: SearchLimit;
  readonly #exact: Exactly | null;
  readonly #lowest: LowestPeak;
  readonly #finders: { finder: LeastRecompute; known: Choices[] }[];
  readonly #simple: readonly Candidate[];
  readonly #nested: readonly Candidate[];
  readonly #keeps = new Map<Candidate, { finder: LeastRecompute; keep: Choices }>();
  readonly #tree: BudgetTree;
  #least: Candidate | null = null;
  #tick: (done: number) => void = () => undefined;

  /** @param seed of strategies that draw */
  constructor(problem: Problem, search: SearchLimit, seed: number) {
    this.#problem = problem;
    this.#search = search;
    this.#exact = Exactly.of(problem, search);
    this.#lowest = search.part(0, 0.4, () => lowestPeak(problem, search, seed));
    search.tick(0.4);
    const best = this.#lowest.choices[0]!;
    const models: { model: KeptOrder['model']; known: Choices[] }[] = [
      { model: best.model, known: [best.keep] },
    ];
    const given = givenOrder(problem.graph);
    if (problem.graph.size <= TWO_ORDERS && best.model.order.some((v, p) => v !== given[p])) {
      models.push({ model: liveModel(problem.graph, problem.memory, given), known: [] });
    }
    this.#finders = models.map(({ model, known }) => ({ finder: new LeastRecompute(model, search), known }));
    this.#simple = this.#finders.map(({ finder }) => this.#judged(finder, finder.starts[0]!));
    const known = [this.#lowest, this.#lowest.paper, ...this.#lowest.others, ...this.#simple];
    this.#nested = this.#nestedSegments();
    const all = [...known, ...this.#nested];
    this.#tree = new BudgetTree([...all, ...this.#lowChains(all)], unitOf(problem), (node) => this.#at(node));
  }

  get #depth(): number {
    return this.#problem.graph.size <= SMALL ? SMALL_DEPTH : DEPTH;
  }

  get lowest(): Candidate {
    return this.#lowest;
  }

  /** Everything kept, under the order of least peak: no recompute. */
  get regular(): Candidate {
    return this.#simple.reduce((a, b) => (b.peakBytes < a.peakBytes ? b : a));
  }

  /** Schedules that know of no budget, nested segments among them. */
  get nested(): readonly Candidate[] {
    return this.#nested;
  }

  /** The schedule of the least peak that is known, or of the least there is, where that was searched exactly. */
  get least(): Candidate {
    this.#least ??= this.#exact?.leastPeak() ?? this.#tree.lowest;
    return this.#least;
  }

  /**
   * The schedule of least recompute found within a budget: on little graphs the least there is, on others none that
   * recomputes more than that of a smaller budget, unless a limit ends the search.
   *
   * @param depth how often the budgets are halved
   * @throws InfeasibleError when no schedule known is within the budget
   */
  within(budget: number, tick: (done: number) => void, depth = this.#depth): BudgetCandidate {
    const exact = this.#exact?.within(budget) ?? null;
    if (exact === 'none') throw this.#infeasible(budget);
    if (exact !== null) return { ...exact, claim: claimOf(exact, true) };
    this.#tick = tick;
    const found = this.#tree.within(budget, depth);
    if (found === null) throw this.#infeasible(budget);
    const isNested = !isTwiceAtMost(found.schedule, this.#problem.graph.size);
    return { ...found, claim: claimOf(found, false, isNested) };
  }

  /** What is found at one of the budgets where they are halved. */
  #at({ from, to, budget, depth }: BudgetNode): readonly Candidate[] {
    this.#tick(depth / this.#depth);
    const { size } = this.#problem.graph;
    const found: Candidate[] = [];
    const moves = movesWithin(size) / (size <= SMALL || ANNEALED.includes(depth) ? 1 : 6);
    for (const { finder, known } of this.#finders) {
      if (this.#search.isReached) {
        this.#search.leave('budgets', depth, this.#depth);
        break;
      }
      const ends = [from, to].map((end) => this.#keeps.get(end)).filter((end) => end?.finder === finder);
      const keep = finder.within(budget, [...ends.map((end) => end!.keep), ...known], {
        moves: moves / this.#finders.length,
        tick: () => undefined,
        cuts: size <= SMALL || STARTS.includes(depth),
      });
      if (keep !== null) found.push(this.#judged(finder, keep));
    }
    if (size <= SMALL || (depth >= CHAIN && size <= CHAIN_SIZE)) found.push(...this.#chain(budget));
    return found;
  }

  #judged(finder: LeastRecompute, keep: Choices): Candidate {
    const candidate = judgeKeep(this.#problem, finder.model, keep);
    this.#keeps.set(candidate, { finder, keep });
    return candidate;
  }

  /** What the chain's dynamic programme reaches below everything else that is known. */
  #lowChains(known: readonly Candidate[]): readonly Candidate[] {
    const found: Candidate[] = [];
    if (this.#problem.graph.size > CHAIN_SIZE) return found;
    let least = known.reduce((bytes, { peakBytes }) => Math.min(bytes, peakBytes), Number.POSITIVE_INFINITY);
    for (let i = 0; i < LOW_CHAINS && least > 1; i++) {
      const [lower] = this.#chain(least - 1);
      if (lower === undefined) break;
      found.push(lower);
      least = lower.peakBytes;
    }
    return found;
  }

  #chain(budgetBytes: number): Candidate[] {
    try {
      const control = { tick: () => void this.#search.look(CHAIN_LOOKS) };
      const plan = chainDp.plan(this.#problem, { seed: 0, budgetBytes }, control);
      return plan.applicable ? [judge(this.#problem, plan.schedule)] : [];
    } catch (error) {
      if (error instanceof InfeasibleError) return [];
      throw error;
    }
  }

  #nestedSegments(): readonly Candidate[] {
    const { graph, memory } = this.#problem;
    const { model } = this.#lowest.choices[0]!;
    const found = new NestedSearch(model)
      .points(this.#search, () => undefined)
      .filter((point) => point.peak <= NESTED_PEAKS * this.#lowest.peakBytes)
      .map((point) => {
        this.#search.look(graph.size);
        return judge(this.#problem, multiLevelSchedule(graph, memory, model.order, point));
      });
    found.push(this.#poor());
    return found.sort((a, b) => b.peakBytes - a.peakBytes);
  }

  #poor(): Candidate {
    if (this.#problem.graph.size > MOST_POOR) return this.#lowest;
    const plan = memoryPoor.plan(this.#problem, { seed: 0 }, { tick: () => undefined });
    return plan.applicable ? judge(this.#problem, plan.schedule) : this.#lowest;
  }

  #infeasible(budget: number): InfeasibleError {
    const { least } = this;
    const isExact = this.#exact !== null && least !== this.#tree.lowest;
    const name = least.peakBytes === this.#lowest.peakBytes ? 'live' : this.#nameOf(least);
    return new InfeasibleError(
      `no schedule ${isExact ? '' : 'known '}fits ${formatBytes(budget)}: the least reachable is ${formatBytes(least.peakBytes)} ` +
        `(${least.peakBytes} bytes), with ${name}`,
      least.peakBytes,
    );
  }

  #nameOf({ peakBytes }: Candidate): string {
    return peakBytes === this.#poor().peakBytes ? 'memory-poor' : 'budget';
  }
}

function claimOf(candidate: Candidate, exact: boolean, nested = false): Claim {
  if (candidate.recomputeWork === 0) return { kind: 'no-recompute' };
  return exact ? { kind: 'exact-recompute' } : { kind: 'recompute-found', nested };
}
