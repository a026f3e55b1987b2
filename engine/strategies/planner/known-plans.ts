import type { Schedule } from '../../schedule/schedule.ts';
import { type Candidate, judge } from '../search/candidate.ts';
import type { SearchLimit } from '../search/search-limit.ts';
import type { Problem } from '../strategy/strategy.ts';
import { PlanFront } from './plan-front.ts';

/** One thing that the planner may do next. It ends early, with what it has, where the limit is reached. */
export type Source = () => void;

/** The plans that the planner knows, and the running of sources that add to them. */
export class KnownPlans {
  readonly problem: Problem;
  readonly search: SearchLimit;
  readonly front: PlanFront;
  /** Plans that depend on no budget asked for. */
  readonly free: Candidate[] = [];
  readonly #done = new Set<string>();

  constructor(problem: Problem, search: SearchLimit, onChange?: (front: PlanFront) => void) {
    this.problem = problem;
    this.search = search;
    this.front = new PlanFront(problem, () => onChange?.(this.front));
  }

  /** The plan of least peak known that recomputes nothing. */
  get regular(): Candidate {
    const all = this.free.filter(({ recomputeWork }) => recomputeWork === 0);
    return all.reduce((a, b) => (b.peakBytes < a.peakBytes ? b : a));
  }

  /** Adds plans that depend on no budget asked for. */
  offer(plans: readonly Candidate[]): void {
    this.free.push(...plans);
    this.front.offer(plans);
  }

  offerSchedules(schedules: readonly Schedule[]): void {
    this.offer(schedules.map((schedule) => judge(this.problem, schedule)));
  }

  once(name: string, run: () => void): void {
    if (this.#done.has(name)) return;
    this.#done.add(name);
    run();
  }

  /** Runs sources one after another, to the end or the limit; shares done go to the limit's own `tick`. */
  run(sources: readonly Source[], isDone = (): boolean => false): void {
    for (const [i, source] of sources.entries()) {
      if (isDone() || this.isOver(i, sources.length)) return;
      this.search.part(i / sources.length, (i + 1) / sources.length, source);
      this.search.tick((i + 1) / sources.length);
    }
  }

  /** True where the limit is reached; the sources that are left out are recorded. */
  isOver(tried: number, of: number): boolean {
    if (!this.search.isReached) return false;
    this.search.leave('sources', tried, of);
    return true;
  }
}
