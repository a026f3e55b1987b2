import { lowerBound } from '../../bounds/lower-bound.ts';
import { type Candidate, judge } from '../live/candidate.ts';
import { ExactSearch, exactApplies } from '../exact/exact.ts';
import type { SearchLimit } from '../search-limit.ts';
import type { Problem } from '../strategy.ts';

/** The exact answers of one little graph, over all schedules. */
export class Exactly {
  readonly #problem: Problem;
  readonly #exact: ExactSearch;

  private constructor(problem: Problem, search: SearchLimit) {
    this.#problem = problem;
    this.#exact = new ExactSearch(problem, search);
  }

  /** Null where the graph is not little. */
  static of(problem: Problem, search: SearchLimit): Exactly | null {
    return exactApplies(problem) ? new Exactly(problem, search) : null;
  }

  /** The least recompute within a budget; `none` where no schedule fits, null where the search gave up. */
  within(budget: number): Candidate | 'none' | null {
    const found = this.#exact.leastWork(budget, Number.POSITIVE_INFINITY);
    if (found === null) return null;
    return found.schedule === null ? 'none' : judge(this.#problem, found.schedule);
  }

  /** A schedule of the least peak; null where the search gave up. */
  leastPeak(): Candidate | null {
    const found = this.#exact.leastPeak(Number.POSITIVE_INFINITY, lowerBound(this.#problem).bytes);
    return found?.schedule == null ? null : judge(this.#problem, found.schedule);
  }
}
