import { workOf } from '../../graph/graph.ts';
import type { Schedule } from '../../schedule/schedule.ts';
import { type Candidate, judge } from '../search/candidate.ts';
import type { Problem } from '../strategy/strategy.ts';

/** Figures of a plan: of two plans the one is better that is lower in one of them and not higher in the other. */
export type Figures = Pick<Candidate, 'peakBytes' | 'recomputeWork'>;

/** The best plans known for every budget at once: by rising peak and falling recompute, none beaten by another. */
export class PlanFront {
  readonly #problem: Problem;
  readonly #onChange: () => void;
  /** Forward work of one step, by which recompute is measured. */
  readonly forwardWork: number;
  #plans: readonly Candidate[] = [];

  /** @param onChange hears each plan that improves the front */
  constructor(problem: Problem, onChange: () => void = () => undefined) {
    this.#problem = problem;
    this.#onChange = onChange;
    this.forwardWork = workOf(problem.graph).reduce((sum, work, v) => (v > 0 ? sum + work : sum), 0);
  }

  /** By rising peak. */
  get plans(): readonly Candidate[] {
    return this.#plans;
  }

  get lowest(): Candidate | undefined {
    return this.#plans[0];
  }

  /** Plan of least recompute within a budget, then of lowest peak; null when none fits. */
  within(budget: number): Candidate | null {
    return this.#plans.findLast(({ peakBytes }) => peakBytes <= budget) ?? null;
  }

  offer(found: readonly Candidate[]): void {
    const better = found.filter((plan) => !this.#plans.some((known) => isAsGood(known, plan)));
    if (better.length === 0) return;
    this.#plans = undominated([...this.#plans, ...better], (plan) => plan);
    this.#onChange();
  }

  /** A schedule, judged and offered. */
  add(schedule: Schedule): Candidate {
    const plan = judge(this.#problem, schedule);
    this.offer([plan]);
    return plan;
  }
}

const isAsGood = (a: Figures, b: Figures): boolean =>
  a.peakBytes <= b.peakBytes && a.recomputeWork <= b.recomputeWork;

/** By rising peak, those that no other beats in both figures; of equal ones the first. */
export function undominated<Item>(items: readonly Item[], figuresOf: (item: Item) => Figures): Item[] {
  const sorted = items
    .map((item) => ({ item, ...figuresOf(item) }))
    .sort((a, b) => a.peakBytes - b.peakBytes || a.recomputeWork - b.recomputeWork);
  let least = Number.POSITIVE_INFINITY;
  return sorted.flatMap(({ item, recomputeWork }) => {
    if (recomputeWork >= least) return [];
    least = recomputeWork;
    return [item];
  });
}
