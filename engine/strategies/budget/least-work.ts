import { formatBytes } from '../../bytes.ts';
import { InfeasibleError } from '../../errors.ts';
import { multiLevelSchedule } from '../../schedule/multi-level.ts';
import type { Claim } from '../claim.ts';
import type { Choices } from '../live/choice.ts';
import { type Candidate, judge, judgeKeep } from '../live/candidate.ts';
import { ExactSearch, exactApplies } from '../exact/exact.ts';
import { type KeptOrder, type LowestPeak, lowestPeak } from '../live/lowest-peak.ts';
import { liveModel } from '../live/live-model.ts';
import { givenOrder } from '../live/orders.ts';
import { memoryPoor } from '../memory-poor.ts';
import type { SearchLimit } from '../search-limit.ts';
import type { Problem } from '../strategy.ts';
import { LeastRecompute } from './least-recompute.ts';
import { NestedSearch } from './nested-search.ts';

/** A schedule within a budget, and how it was found. */
export interface BudgetCandidate extends Candidate {
  readonly claim: Claim;
}

/** Storing nothing takes O(V²) steps: not for larger graphs. */
const MOST_POOR = 3000;
/** Graphs up to this size are searched under a second order too. */
const TWO_ORDERS = 700;

/** Finds schedules of least recompute within any number of budgets; what they share is done once. */
export class LeastWork {
  readonly #problem: Problem;
  readonly #lowest: LowestPeak;
  readonly #finders: { finder: LeastRecompute; known: Choices[] }[];
  readonly #simple: Candidate[];
  readonly #search: SearchLimit;
  #nested: Candidate[] | null = null;

  constructor(problem: Problem, search: SearchLimit, seed: number) {
    this.#problem = problem;
    this.#search = search;
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
    this.#simple = [this.#lowest, this.#lowest.paper];
    for (const { finder } of this.#finders)
      this.#simple.push(judgeKeep(problem, finder.model, finder.starts[0]!));
  }

  get lowest(): Candidate {
    return this.#lowest;
  }

  /** Everything kept, under the order of least peak: no recompute. */
  get regular(): Candidate {
    return this.#simple.slice(2).reduce((a, b) => (b.peakBytes < a.peakBytes ? b : a));
  }

  /**
   * The schedule of least recompute found within a budget.
   *
   * @param moves of annealing, in all
   * @throws InfeasibleError when no schedule known is within the budget
   */
  within(budget: number, moves: number, tick: (done: number) => void): BudgetCandidate {
    const problem = this.#problem;
    let best: Candidate | null = null;
    const offer = (candidate: Candidate): void => {
      if (candidate.peakBytes > budget) return;
      if (best === null || candidate.recomputeWork < best.recomputeWork) best = candidate;
    };
    for (const candidate of this.#simple) offer(candidate);
    const fits = this.#lowest.peakBytes <= budget && this.regular.peakBytes > budget;
    if (fits) {
      this.#finders.forEach(({ finder, known }, i) => {
        const share = moves / this.#finders.length;
        const keep = finder.within(budget, known, {
          moves: share,
          tick: (done) => tick((i + done) / this.#finders.length),
        });
        if (keep !== null) offer(judgeKeep(problem, finder.model, keep));
      });
    }
    if (best !== null) {
      const exact = exactApplies(problem)
        ? new ExactSearch(problem, this.#search).leastWork(budget, (best as Candidate).recomputeWork)
        : null;
      if (exact?.schedule != null) offer(judge(problem, exact.schedule));
      return { ...(best as Candidate), claim: claimOf(best, exact !== null) };
    }
    for (const candidate of this.nested(tick)) offer(candidate);
    if (best !== null) {
      return { ...(best as Candidate), claim: { kind: 'recompute-found', nested: true } };
    }
    throw this.#infeasible(budget, tick);
  }

  /** Schedules of nested segments, judged; by falling peak. */
  nested(tick: (done: number) => void): readonly Candidate[] {
    if (this.#nested !== null) return this.#nested;
    const { graph, memory } = this.#problem;
    const { model } = this.#lowest.choices[0]!;
    const found = new NestedSearch(model)
      .points(this.#search, (done) => tick(0.9 * done))
      .filter((point) => point.peak <= 1.2 * this.#lowest.peakBytes)
      .map((point) => {
        tick(0.9);
        return judge(this.#problem, multiLevelSchedule(graph, memory, model.order, point));
      });
    found.push(this.#poor());
    this.#nested = found.sort((a, b) => b.peakBytes - a.peakBytes);
    return this.#nested;
  }

  #poor(): Candidate {
    if (this.#problem.graph.size > MOST_POOR) return this.#lowest;
    const plan = memoryPoor.plan(this.#problem, { seed: 0 }, { tick: () => undefined });
    return plan.applicable ? judge(this.#problem, plan.schedule) : this.#lowest;
  }

  #infeasible(budget: number, tick: (done: number) => void): InfeasibleError {
    const all = [this.#lowest, ...this.nested(tick)];
    const least = all.reduce((a, b) => (b.peakBytes < a.peakBytes ? b : a));
    const poor = this.#poor();
    const name =
      least.peakBytes === this.#lowest.peakBytes
        ? 'live'
        : least.peakBytes === poor.peakBytes
          ? 'memory-poor'
          : 'budget, with nested segments';
    return new InfeasibleError(
      `no schedule known fits ${formatBytes(budget)}: the least reachable is ${formatBytes(least.peakBytes)} ` +
        `(${least.peakBytes} bytes), with ${name}`,
      least.peakBytes,
    );
  }
}

function claimOf(candidate: Candidate, exact: boolean): Claim {
  if (exact) return { kind: 'exact-recompute' };
  return candidate.recomputeWork === 0
    ? { kind: 'no-recompute' }
    : { kind: 'recompute-found', nested: false };
}
