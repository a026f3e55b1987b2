import { workOf } from '../../graph/graph.ts';
import { lowerBound } from '../../bounds/lower-bound.ts';
import { exactBytes } from '../../bytes.ts';
import { InfeasibleError } from '../../errors.ts';
import { insertFrees } from '../../schedule/liveness.ts';
import type { Schedule } from '../../schedule/schedule.ts';
import { simulateTotals } from '../../simulate/simulate.ts';
import { budget } from '../budget/budget.ts';
import type { Claim } from '../strategy/claim.ts';
import { commonDivisor } from '../search/common-divisor.ts';
import { checkpointsOf } from '../search/candidate.ts';
import { live } from '../live/live.ts';
import { memoryPoor } from '../memory-poor.ts';
import { optimal } from '../optimal/optimal.ts';
import { budgetOf } from '../options.ts';
import { regular } from '../regular.ts';
import { MILP_LIMIT_SECONDS, READS_TIME_LIMIT, SearchLimit } from '../search/search-limit.ts';
import type { Control, Plan, Problem, Strategy, StrategyOptions } from '../strategy/strategy.ts';
import { LinearModel, type Term, type Value } from './linear-model.ts';
import { limitMemory } from './memory-rows.ts';
import { type MilpResult, type MilpSolver, MilpSolverError, NO_SOLVER } from './milp-solver.ts';
import { constrainRounds, declareRounds, decode, type RoundShape, type Rounds } from './rounds.ts';

/** Effort guard: beyond this the search ends at its time limit with nothing to show. */
export const MILP_MAX_VERTICES = 42;
/** Up to here the rounds leave room for any order and for two sweeps between two backward steps. */
const SMALL = 11;
/** A recompute this much above the least counts as least, as a share of one forward. */
const TOLERANCE = 1e-6;
/** Coefficients beyond this would drown in the solver's tolerances. */
const LARGEST_COEFFICIENT = 100_000;

/**
 * Mixed integer linear programming: the lowest peak, and the least recompute at that peak; with a budget
 * the least recompute within it.
 *
 * - Source: Jain et al., Checkmate, 2020; with the memory semantics of our simulator and the order of
 *   backward left free.
 * - Guarantee: exact, up to a relative 1e-6, among schedules that forward no vertex twice (on graphs of
 *   up to 11 vertices: three times) between two backward steps, in topological order each time; never
 *   worse than regular, memory-poor, optimal, live and budget. A peak that meets the lower bound is proved
 *   against all schedules.
 * - Time exponential, cut off at a limit; space O(V^2 (V + E)) for the model.
 * - Assumptions: a value is not recomputed while a view of it is held.
 * - Departures: Checkmate fixes the order of all first computations and rounds costs.
 */
export const milp: Strategy = {
  name: 'milp',
  title: 'MILP (exact)',
  source: 'Jain et al., Checkmate, MLSys 2020',
  cites: ['jain2020checkmate'],
  guarantee: 'the lowest peak, and the least recompute at it, of small graphs',
  takeFor: 'a small network and a proof',
  reads: { budgetBytes: 'takes', ...READS_TIME_LIMIT },
  needsMilpSolver: true,
  scalesWithBatch: false,
  hasPaperCost: false,
  plan(problem, options, control) {
    const { graph } = problem;
    if (graph.keepsOrder === true) {
      const reason =
        'the framework runs this network in the given order, and milp chooses its own; try live or budget';
      return { applicable: false, reason };
    }
    if (graph.size > MILP_MAX_VERTICES) {
      const reason = `${graph.size} vertices are too many for an exact search (at most ${MILP_MAX_VERTICES}); try live or budget`;
      return { applicable: false, reason };
    }
    const solver = options.milpSolver;
    if (solver === undefined) return { applicable: false, reason: NO_SOLVER };
    const search = new Search(problem, options, control, solver);
    try {
      return search.plan(budgetOf(options));
    } catch (error) {
      if (!(error instanceof MilpSolverError)) throw error;
      return {
        applicable: false,
        reason: `the MILP solver failed here (${error.message}); try live or budget`,
      };
    }
  },
};

interface Candidate {
  readonly schedule: Schedule;
  readonly peakBytes: number;
  readonly work: number;
}

class Search {
  readonly #problem: Problem;
  readonly #options: StrategyOptions;
  readonly #control: Control;
  readonly #solver: MilpSolver;
  readonly #shape: RoundShape;
  readonly #candidates: readonly Candidate[];
  readonly #bound: number;
  /** Bytes that count 1: whatever divides all sizes, or what keeps the coefficients moderate. */
  readonly #unit: number;
  readonly #limit: SearchLimit;
  /** Searches, and those that the limit ended. */
  #searches = 0;
  #stopped = 0;

  constructor(problem: Problem, options: StrategyOptions, control: Control, solver: MilpSolver) {
    this.#problem = problem;
    this.#options = options;
    this.#control = control;
    this.#solver = solver;
    this.#limit = new SearchLimit(options, control, options.exactSeconds ?? MILP_LIMIT_SECONDS);
    this.#shape = problem.graph.size <= SMALL ? { extra: 2, sweeps: 2 } : { extra: 1, sweeps: 1 };
    this.#bound = lowerBound(problem).bytes;
    this.#unit = unitOf(problem);
    // Candidates are single schedules to it, whose segments need not run in any one way.
    const { checkpointing: _, ...others } = options;
    this.#candidates = [regular, memoryPoor, optimal, live].flatMap((strategy) => {
      const plan = strategy.plan(problem, others, control);
      return plan.applicable ? [this.#judged(plan.schedule)] : [];
    });
  }

  plan(budgetBytes: number | undefined): Plan {
    if (budgetBytes !== undefined) return this.#withinBudget(budgetBytes);
    const lowest = this.#lowestPeak();
    const least = this.#leastRecompute(lowest.peakBytes);
    const best = least.best ?? lowest.best;
    return this.#planOf(best, {
      kind: 'milp-peak',
      sweeps: this.#shape.sweeps,
      peakProved: lowest.proved,
      recomputeProved: least.proved,
    });
  }

  #withinBudget(budgetBytes: number): Plan {
    if (budgetBytes < this.#bound) {
      throw this.#infeasible(`no schedule fits ${exactBytes(budgetBytes)}`);
    }
    const { best, proved } = this.#leastRecompute(budgetBytes);
    const { sweeps } = this.#shape;
    if (best === null) {
      const why = proved
        ? `none of the schedules with ${sweeps === 1 ? 'one sweep' : `${sweeps} sweeps`} between two backward steps fits`
        : 'none was found before the time limit';
      throw this.#infeasible(`milp cannot fit ${exactBytes(budgetBytes)}: ${why}`);
    }
    return this.#planOf(best, { kind: 'milp-within-budget', sweeps, budgetBytes, proved });
  }

  #infeasible(why: string): InfeasibleError {
    const least = this.#candidates.reduce((a, b) => (b.peakBytes < a.peakBytes ? b : a)).peakBytes;
    return new InfeasibleError(
      `${why}; every schedule needs ${exactBytes(this.#bound)} or more, and ${exactBytes(least)} is known to work`,
      least,
    );
  }

  #lowestPeak(): { best: Candidate; peakBytes: number; proved: boolean } {
    const start = this.#candidates.reduce((a, b) => (b.peakBytes < a.peakBytes ? b : a));
    if (start.peakBytes <= this.#bound) return { best: start, peakBytes: start.peakBytes, proved: true };
    const model = new LinearModel();
    const peak = model.continuous(this.#bound / this.#unit, start.peakBytes / this.#unit);
    model.charge(peak, 1);
    // Peaks are multiples of the unit, where it divides all sizes: nothing lies less than 1 below.
    const { found, result } = this.#solve(model, peak, 0.9);
    const best = found !== null && found.peakBytes < start.peakBytes ? found : start;
    return { best, peakBytes: best.peakBytes, proved: result.status !== 'stopped' };
  }

  #leastRecompute(budgetBytes: number): { best: Candidate | null; proved: boolean } {
    const fitting = [...this.#candidates, ...this.#fromBudget(budgetBytes)].filter(
      (candidate) => candidate.peakBytes <= budgetBytes,
    );
    const start = fitting.reduce<Candidate | null>((a, b) => (a === null || b.work < a.work ? b : a), null);
    if (start !== null && start.work === 0) return { best: start, proved: true };
    const model = new LinearModel();
    const limit = budgetBytes / this.#unit;
    const peak = model.continuous(limit, limit);
    const { found, result } = this.#solve(model, peak, TOLERANCE, (rounds) => {
      const work = workOf(this.#problem.graph);
      const once = work.reduce((sum, w, v) => (v > 0 ? sum + w : sum), 0) || 1;
      const terms = rounds.forward.flatMap((now) =>
        now.map((value, v): Term => [(work[v] ?? 0) / once, value]),
      );
      for (const [share, value] of terms) model.charge(value, share);
      // Nothing above what is known is of interest.
      if (start !== null) model.atMost(terms, 1 + start.work / once);
    });
    const fits = found !== null && found.peakBytes <= budgetBytes;
    const best = fits && (start === null || found.work < start.work) ? found : start;
    return { best, proved: result.status !== 'stopped' };
  }

  /** Plans of the heuristic for this very budget, if it was asked before. */
  #fromBudget(budgetBytes: number): Candidate[] {
    if (budgetBytes === 0) return [];
    try {
      const plan = budget.plan(this.#problem, { ...this.#options, budgetBytes }, this.#control);
      return plan.applicable ? [this.#judged(plan.schedule)] : [];
    } catch (error) {
      if (error instanceof InfeasibleError) return [];
      throw error;
    }
  }

  #solve(
    model: LinearModel,
    peak: Value,
    tolerance: number,
    charge: (rounds: Rounds) => void = () => undefined,
  ): { found: Candidate | null; result: MilpResult } {
    const { graph, memory } = this.#problem;
    const rounds = declareRounds(model, this.#problem, this.#shape);
    constrainRounds(model, this.#problem, rounds);
    limitMemory(model, this.#problem, rounds, peak, this.#unit);
    charge(rounds);
    const result = this.#solver.solve(model.build(), {
      limitSeconds: Math.max(0.1, this.#limit.clockSecondsLeft),
      tolerance,
      onProgress: ({ work }) => this.#limit.spend(work),
    });
    this.#searches++;
    if (result.status === 'stopped') {
      this.#stopped++;
      this.#limit.endByClock();
    }
    if (result.values === null) return { found: null, result };
    return { found: this.#judged(insertFrees(graph, memory, decode(rounds, result.values))), result };
  }

  #judged(schedule: Schedule): Candidate {
    const { graph, memory } = this.#problem;
    const { peakBytes, recomputeWork } = simulateTotals(graph, memory, schedule);
    return { schedule, peakBytes, work: recomputeWork };
  }

  #planOf({ schedule }: Candidate, claim: Claim): Plan {
    if (this.#stopped > 0) this.#limit.leave('exact', this.#searches - this.#stopped, this.#searches);
    return {
      applicable: true,
      checkpoints: checkpointsOf(schedule, this.#problem.graph.size),
      schedule,
      paperCostBytes: null,
      claim,
      ...this.#limit.ending,
    };
  }
}

function unitOf({ memory }: Problem): number {
  const sizes = [...memory.outputBytes, ...memory.gradientBytes, ...memory.auxBytes];
  const largest = sizes.reduce((a, b) => Math.max(a, b), 1);
  return Math.max(commonDivisor(sizes), largest / LARGEST_COEFFICIENT);
}
