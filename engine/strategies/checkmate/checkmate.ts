import { leastFraction, recomputeBound } from '../../bounds/recompute-bound.ts';
import { exactBytes } from '../../bytes.ts';
import { InfeasibleError } from '../../errors.ts';
import { type Candidate, checkpointsOf, isBetter, judge } from '../search/candidate.ts';
import { liveModel } from '../search/live-model.ts';
import { givenOrder } from '../search/orders.ts';
import { type MilpSolver, MilpSolverError, NO_SOLVER } from '../milp/milp-solver.ts';
import { budgetOf } from '../options.ts';
import { peakOfOptimal } from '../optimal/peak-of-optimal.ts';
import { regular } from '../regular.ts';
import { DEFAULT_LIMIT_SECONDS, READS_TIME_LIMIT, SearchLimit } from '../search/search-limit.ts';
import type { Control, NotApplicable, Plan, Problem, Strategy } from '../strategy/strategy.ts';
import { epsilons, type Outcome } from './epsilons.ts';
import { relaxation } from './relaxation.ts';
import { completed, rounded } from './rounding.ts';
import { fineStages, joinStages, type Stages } from './stages.ts';

/** Stages of backward that are tried, the fewest first: what is found early is there when time is over. */
const LEVELS = [4, 8, 16, 32, 64, Number.POSITIVE_INFINITY] as const;
/** Beyond this a linear program takes minutes. */
const MAX_COLUMNS = 30_000;
/** Columns of a storage at a stage, about. */
const COLUMNS = 2;
const ROUNDING = 1e-9;
/** How much later than the caller's clock, which may be the processor's, the solver's own ends a program. */
const PATIENCE = 20;
/** Seconds of the solver's own clock at least; 0 would be no limit. */
const MIN_SECONDS = 0.1;
/** The paper's, and those around it. */
const THRESHOLDS = [
  0.5,
  ...Array.from({ length: 19 }, (_, i) => (i + 1) / 20).filter((part) => part !== 0.5),
];

/**
 * The linear relaxation of Checkmate's integer program within a budget a little smaller, rounded in two phases.
 *
 * - Source: Jain et al. 2020, Checkmate: Breaking the Memory Wall with Optimal Tensor Rematerialization, MLSys, section 5
 *   and Algorithm 2 (deterministic; thresholds beside one half as in the authors' program).
 * - Guarantee: fits the budget, as the simulator judges, or is refused; nothing is said of its recompute.
 * - Time: up to some dozen linear programs of O(stages x (storages + edges)) columns, cut off at a limit.
 * - Assumptions: none.
 * - Departures: the first forward runs once through; gradients are not recomputed; a tensor with its views and what is
 *   computed in place over it is one; memory is that of section 3 of the paper without workspace, freed by uses
 *   instead of products (relaxation.ts), which relaxes less. Backward steps are joined to few stages first, then to more while
 *   there is time and the program stays small. The slack epsilon is sought, from the paper's 0.1; every
 *   threshold is tried, and what fits with least recompute is taken. Without a budget it takes the peak of `optimal`, or
 *   the least it reaches.
 */
export const checkmateRounding: Strategy = {
  name: 'checkmate-rounding',
  title: 'Checkmate rounding',
  source: 'Jain et al., Checkmate, MLSys 2020, Algorithm 2',
  cites: ['jain2020checkmate'],
  guarantee:
    'fits the budget; keeps at each stage of backward the tensors that a rounded linear program keeps',
  takeFor: 'a comparison with Checkmate, in minutes',
  reads: { budgetBytes: 'takes', ...READS_TIME_LIMIT },
  needsMilpSolver: true,
  scalesWithBatch: false,
  hasPaperCost: false,
  plan(problem, options, control) {
    const asked = budgetOf(options);
    const limit = new SearchLimit(options, control, options.exactSeconds ?? DEFAULT_LIMIT_SECONDS);
    const model = liveModel(problem.graph, problem.memory, givenOrder(problem.graph));
    if (model.items * COLUMNS * LEVELS[0] > MAX_COLUMNS) {
      const reason = `${model.items} storages make the linear program too large; try live or budget`;
      return { applicable: false, reason };
    }
    const solver = options.milpSolver;
    if (solver === undefined) return { applicable: false, reason: NO_SOLVER };
    const budget = asked ?? peakOfOptimal(problem, options, control);
    const search = new Search(problem, { solver, limit, budget }, control);
    try {
      search.run(fineStages(model));
    } catch (error) {
      if (!(error instanceof MilpSolverError)) throw error;
      const reason = `the linear program could not be solved here (${error.message}); try live or budget`;
      return { applicable: false, reason };
    }
    return answer(problem, search, asked);
  },
};

function answer({ graph }: Problem, search: Search, asked: number | undefined): Plan | NotApplicable {
  const { best, least, limit } = search;
  const { stopped } = limit.ending;
  const found = best ?? (asked === undefined ? least : null);
  if (found !== null)
    return {
      applicable: true,
      checkpoints: checkpointsOf(found.schedule, graph.size),
      schedule: found.schedule,
      paperCostBytes: null,
      ...limit.ending,
    };
  if (search.solved === 0 && stopped !== undefined) {
    const reason = `no linear program was solved within ${stopped.limitSeconds} s; allow more time, or try live or budget`;
    return { applicable: false, reason };
  }
  const outcome = stopped === undefined ? 'has no plan' : `found no plan in ${stopped.limitSeconds} s`;
  throw new InfeasibleError(
    `checkmate-rounding ${outcome} within ${exactBytes(asked ?? 0)}; the smallest peak it found is ${exactBytes(least.peakBytes)}`,
    least.peakBytes,
  );
}

interface Means {
  readonly solver: MilpSolver;
  readonly limit: SearchLimit;
  readonly budget: number;
}

class Search {
  readonly #problem: Problem;
  readonly #means: Means;
  readonly limit: SearchLimit;
  solved = 0;
  /** Least recompute within the budget. */
  best: Candidate | null = null;
  /** Lowest peak. */
  least: Candidate;

  constructor(problem: Problem, means: Means, control: Control) {
    this.#problem = problem;
    this.#means = means;
    this.limit = means.limit;
    const plan = regular.plan(problem, { seed: 0 }, control);
    if (!plan.applicable) throw new Error('regular always applies');
    this.least = judge(problem, plan.schedule);
    this.#take(this.least);
  }

  run(fine: Stages): void {
    if (this.best !== null) return;
    let start: number | null = null;
    for (const count of LEVELS) {
      const stages = joinStages(fine, count);
      // Small: the stages are already those of the next level.
      if (stages.isFine && count !== Number.POSITIVE_INFINITY) continue;
      if (stages.useful.reduce((sum, items) => sum + items.length, 0) * COLUMNS > MAX_COLUMNS) break;
      start = this.#level(stages, start);
      if (this.limit.isReached || this.#isLeast) return;
    }
  }

  /** True where it is proved that nothing recomputes less. */
  get #isLeast(): boolean {
    const bound = recomputeBound(this.#problem);
    const least = leastFraction(bound, this.#means.budget) * bound.forwardWork;
    return this.best !== null && this.best.recomputeWork <= least * (1 + ROUNDING);
  }

  /** One linear program a slack; the slack to begin with at the next level. */
  #level(stages: Stages, start: number | null): number | null {
    const search = epsilons(start);
    let outcome: Outcome | null = null;
    let fitting = start;
    for (;;) {
      const next = outcome === null ? search.next() : search.next(outcome);
      if (next.done === true) return fitting;
      const solved = this.#solve(stages, (1 - next.value) * this.#means.budget);
      if (solved === null) {
        this.limit.leave('linear-programs', this.solved, null);
        return fitting;
      }
      outcome = solved;
      if (outcome === 'fits') fitting = next.value;
    }
  }

  /** Null where the limit is reached. */
  #solve(stages: Stages, bytes: number): Outcome | null {
    const { limit } = this;
    if (limit.poll()) return null;
    const program = relaxation(stages, bytes);
    const result = this.#means.solver.solve(program.model, {
      limitSeconds: Math.max(MIN_SECONDS, PATIENCE * limit.clockSecondsLeft),
      tolerance: 0,
      onProgress: ({ work }) => limit.spend(work),
    });
    if (result.status === 'stopped') {
      limit.endByClock();
      return null;
    }
    const { status, values } = result;
    this.solved++;
    if (status === 'infeasible' || values === null) return 'infeasible';
    let fits = false;
    for (const threshold of THRESHOLDS) {
      // The paper's own is always tried.
      if (limit.poll() && threshold !== THRESHOLDS[0]) break;
      const one = judge(this.#problem, completed(stages, rounded(program, values, threshold)));
      if (this.#take(one)) fits = true;
    }
    return fits ? 'fits' : 'over';
  }

  /** Keeps it where it is better. @returns whether it is within the budget */
  #take(one: Candidate): boolean {
    if (isBetter(one, this.least)) this.least = one;
    if (one.peakBytes > this.#means.budget) return false;
    const { best } = this;
    const isLess =
      best === null ||
      one.recomputeWork < best.recomputeWork ||
      (one.recomputeWork === best.recomputeWork && one.peakBytes < best.peakBytes);
    if (isLess) this.best = one;
    return true;
  }
}
