import { insertFrees } from '../../schedule/liveness.ts';
import { BACKWARD, FORWARD, type Schedule, ScheduleBuilder } from '../../schedule/schedule.ts';
import type { SearchLimit } from '../search/search-limit.ts';
import type { Problem } from '../strategy/strategy.ts';
import { CostToGo } from './cost-to-go.ts';
import { type Found, shortest } from './shortest.ts';
import { type StepGraph, stepGraph } from './step-graph.ts';
import { BACKWARD_STEP, type State, Steps } from './steps.ts';

/** Up to so many vertices searches are exact. */
export const EXACT_SIZE = 12;
/** Effort guard: some seconds. */
const MAX_STATES = 1_500_000;

/** Bounds set by a known schedule. */
export interface ExactBound {
  readonly peakBytes: number;
  readonly recomputeWork: number;
}

export interface ExactResult {
  /** Better than the bound, or null where the bound cannot be beaten. */
  readonly schedule: Schedule | null;
}

export function exactApplies({ graph }: Problem): boolean {
  return graph.keepsOrder !== true && graph.size <= EXACT_SIZE;
}

/** Exact answers for one little graph, by a shortest path over what lives and what has run backward (steps.ts). */
export class ExactSearch {
  readonly #problem: Problem;
  readonly #graph: StepGraph;
  readonly #free: Steps;
  readonly #search: SearchLimit;
  readonly #once: number;

  constructor(problem: Problem, search: SearchLimit) {
    this.#problem = problem;
    this.#search = search;
    this.#graph = stepGraph(problem);
    this.#free = new Steps(this.#graph, false);
    this.#once = this.#graph.work.reduce((sum, work, v) => (v > 0 ? sum + work : sum), 0);
  }

  /**
   * The least peak of all schedules, however often they recompute; null where the search gave up.
   *
   * @param floor a lower bound on it
   */
  leastPeak(below: number, floor: number): ExactResult | null {
    return this.#resultOf(this.#shortest(this.#free, { least: 'peak', limit: below, below, floor }));
  }

  /** The least recompute of all schedules with a peak within `limit`, if it is below `work`; null where it gave up. */
  leastWork(limit: number, work: number): ExactResult | null {
    return this.#resultOf(
      this.#shortest(this.#free, { least: 'work', limit, below: this.#once + work, floor: 0 }),
    );
  }

  /**
   * The least peak, and the least recompute at it, of all schedules that forward no vertex more than twice; null where
   * the search gave up.
   */
  twice(bound: ExactBound, floor: number): ExactResult | null {
    const steps = new Steps(this.#graph, true);
    let { peakBytes, recomputeWork } = bound;
    let path: Found['steps'] = null;
    if (peakBytes > floor) {
      // States at or above the bound are not needed.
      const table = this.#toGo(peakBytes - 1e-9, floor);
      if (table === null) return null;
      const lower = this.#shortest(steps, {
        least: 'peak',
        limit: peakBytes,
        below: peakBytes,
        floor,
        calm: floor,
        toGo: table.least('peak'),
      });
      if (lower === null) return null;
      if (lower.steps !== null) {
        path = lower.steps;
        peakBytes = lower.cost;
        recomputeWork = Number.POSITIVE_INFINITY;
      }
    }
    if (recomputeWork === 0) return { schedule: null };
    const table = this.#toGo(peakBytes, peakBytes);
    if (table === null) return null;
    const all = table.least('work');
    const cheaper = this.#shortest(steps, {
      least: 'work',
      limit: peakBytes,
      below: recomputeWork,
      floor: 0,
      calm: peakBytes,
      toGo: (state) => all(state) - this.#firstWork(state),
    });
    if (cheaper === null) return null;
    return this.#resultOf({ steps: cheaper.steps ?? path, cost: peakBytes });
  }

  #toGo(limit: number, calm: number): CostToGo | null {
    return CostToGo.within(this.#graph, limit, calm, this.#search, MAX_STATES);
  }

  /** Work of the forwards that a state has still to do for the first time. */
  #firstWork({ once, done }: State): number {
    const { size, work } = this.#graph;
    let first = 0;
    for (let v = 1; v < size; v++) if ((((once | done) >> v) & 1) === 0) first += work[v]!;
    return first;
  }

  #shortest(steps: Steps, wanted: Parameters<typeof shortest>[2]): Found | null {
    return shortest(this.#graph, steps, wanted, this.#search, MAX_STATES);
  }

  #resultOf(found: Found | null): ExactResult | null {
    if (found === null) return null;
    if (found.steps === null) return { schedule: null };
    const builder = new ScheduleBuilder();
    for (const step of found.steps)
      builder.push(step >= BACKWARD_STEP ? BACKWARD : FORWARD, step % BACKWARD_STEP);
    return { schedule: insertFrees(this.#problem.graph, this.#problem.memory, builder.build()) };
  }
}
