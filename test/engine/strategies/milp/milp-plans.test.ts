import { describe, expect, it } from 'vitest';
import { InfeasibleError } from '../../../../engine/errors.ts';
import { milp } from '../../../../engine/strategies/milp/milp.ts';
import {
  type MilpModel,
  type MilpRequest,
  type MilpResult,
  type MilpSolver,
  MilpSolverError,
} from '../../../../engine/strategies/milp/milp-solver.ts';
import { solveRow } from '../../../../engine/strategies/solve.ts';
import {
  NO_CONTROL,
  type Problem,
  type StrategyOptions,
} from '../../../../engine/strategies/strategy/strategy.ts';
import { createHighsSolver } from '../../../../app/bridges/highs.ts';
import { ExhaustiveSchedules } from '../../../../engine/bounds/exhaustive-schedules.ts';
import { bytesProblem } from '../../../support/problems.ts';
import { planOf } from '../../../support/plans.ts';

/** Bound 26; live reaches 28 and forwards 4 bytes again, memory-poor 29, regular 32. */
const DIAMOND = bytesProblem([8, 5, 3, 4, 0], '0>1 1>2 1>3 2>4 3>4');
/** Regular training meets the bound. */
const EASY = bytesProblem([1, 2, 2], '0>1 1>2');

interface Asked {
  readonly model: MilpModel;
  readonly request: MilpRequest;
  /** True where the solver is told to stop. */
  readonly isOver: boolean;
}

/** A solver that answers as it is told, and keeps what it was asked. */
function answering(...answers: readonly Partial<MilpResult>[]): MilpSolver & { readonly asked: Asked[] } {
  const asked: Asked[] = [];
  return {
    asked,
    solve(model, request) {
      const answer = answers[Math.min(asked.length, answers.length - 1)];
      asked.push({ model, request, isOver: request.onProgress({ work: 3, best: 1, bound: 0 }) });
      return { status: 'stopped', bound: 0, values: null, ...answer };
    },
  };
}

const milpPlan = (
  problem: Problem,
  milpSolver: MilpSolver,
  options: Partial<StrategyOptions> = {},
  control = NO_CONTROL,
) => planOf(milp, problem, { milpSolver, ...options }, control);

const figures = (problem: Problem, name: string): [number, number] => {
  const { peakBytes, recomputeFlops } = solveRow(problem, name, { seed: 1 });
  return [peakBytes ?? 0, recomputeFlops ?? 0];
};

describe('milp’s use of its solver', () => {
  it('does not solve a network that a framework runs in the given order', () => {
    const solver = answering({});
    const given = { ...DIAMOND, graph: { ...DIAMOND.graph, keepsOrder: true } };
    expect(milp.plan(given, { seed: 1, milpSolver: solver }, NO_CONTROL)).toMatchObject({
      applicable: false,
      reason: expect.stringContaining('in the given order'),
    });
    expect(solver.asked).toEqual([]);
  });

  it('does not solve if regular training meets the bound', () => {
    const solver = answering();
    const plan = milpPlan(EASY, solver);
    expect(solver.asked).toEqual([]);
    expect(plan.claim).toEqual({ kind: 'milp-peak', sweeps: 2, peakProved: true, recomputeProved: true });
    expect(plan.stopped).toBeUndefined();
    expect(plan.checkpoints).toEqual([]);
    expect(plan.paperCostBytes).toBeNull();
  });

  it('keeps the best known plan if the solver stopped, and says so', () => {
    expect(figures(DIAMOND, 'live')).toEqual([28, 4]);
    const solver = answering({ status: 'stopped' });
    const plan = milpPlan(DIAMOND, solver);
    expect(plan.schedule).toEqual(solveRow(DIAMOND, 'live', { seed: 1 }).schedule);
    expect(plan.claim).toEqual({ kind: 'milp-peak', sweeps: 2, peakProved: false, recomputeProved: false });
    expect(plan.stopped).toEqual({
      limitSeconds: 120,
      by: 'clock',
      unfinished: [{ what: 'exact', tried: 0, of: 2 }],
    });
    const second = milpPlan(DIAMOND, answering({ status: 'infeasible' }, { status: 'stopped' }));
    expect(second.claim).toMatchObject({ peakProved: true, recomputeProved: false });
    expect(second.stopped).toMatchObject({ unfinished: [{ tried: 1, of: 2 }] });
    const proved = milpPlan(DIAMOND, answering({ status: 'infeasible' }));
    expect(proved.claim).toMatchObject({ peakProved: true, recomputeProved: true });
    expect(proved.stopped).toBeUndefined();
  });

  it('looks for the peak between the bound and what is known, then for the least work within it', () => {
    const solver = answering({ status: 'infeasible' });
    milpPlan(DIAMOND, solver);
    const [peak, work] = solver.asked;
    if (peak === undefined || work === undefined) throw new Error('asked too little');
    expect(peak.request.tolerance).toBe(0.9);
    expect([peak.model.lower[0], peak.model.upper[0], peak.model.cost[0]]).toEqual([26, 28, 1]);
    expect(peak.model.cost.subarray(1).every((cost) => cost === 0)).toBe(true);
    expect(work.request.tolerance).toBe(1e-6);
    expect([work.model.lower[0], work.model.upper[0], work.model.cost[0]]).toEqual([28, 28, 0]);
    // Shares of one forward, which is 12 bytes: for each of ten rounds those of 1, 2 and 3; the target's are none.
    const costs = [...work.model.cost].filter((cost) => cost > 0);
    expect(costs).toHaveLength(30);
    expect(new Set(costs)).toEqual(new Set([5 / 12, 3 / 12, 4 / 12]));
    // The last row: no more than the work of live.
    const row = work.model.rows - 1;
    expect(work.model.rowUpper[row]).toBeCloseTo(1 + 4 / 12, 12);
    expect(work.model.rows).toBe(peak.model.rows + 1);
  });

  it('counts in what divides all sizes, or in what keeps the largest moderate', () => {
    const scaled = (by: number): Problem =>
      bytesProblem(
        [8, 5, 3, 4, 0].map((bytes) => bytes * by),
        '0>1 1>2 1>3 2>4 3>4',
      );
    const bounds = (problem: Problem): number[] => {
      const solver = answering({ status: 'infeasible' });
      milpPlan(problem, solver);
      const { lower, upper } = solver.asked[0]!.model;
      return [lower[0]!, upper[0]!];
    };
    expect(bounds(scaled(64))).toEqual([26, 28]);
    // 8 million and 1 of 100,000.
    const large = bytesProblem([8_000_001, 5_000_000, 3_000_000, 4_000_000, 0], '0>1 1>2 1>3 2>4 3>4');
    const [low = 0, high = 0] = bounds(large);
    expect(low).toBeCloseTo(325_000, -2);
    expect(high).toBeCloseTo(350_000, -2);
  });

  it('shares its limit of work between the two searches, and has a clock only as a cap', () => {
    const overs = (options: Partial<StrategyOptions>): boolean[] => {
      const solver = answering({ status: 'infeasible' });
      milpPlan(DIAMOND, solver, options);
      expect(solver.asked.every(({ request }) => request.limitSeconds === 120)).toBe(true);
      return solver.asked.map(({ isOver }) => isOver);
    };
    expect(overs({})).toEqual([false, false]);
    expect(overs({ timeLimitSeconds: 5 })).toEqual([false, true]);
    expect(overs({ exactSeconds: 2 })).toEqual([true, true]);
    const shares: number[] = [];
    const control = { tick: (done: number) => void shares.push(done) };
    milpPlan(DIAMOND, answering({ status: 'infeasible' }), { timeLimitSeconds: 5 }, control);
    expect(shares.some((share) => Math.abs(share - 3 / 5) < 1e-9)).toBe(true);
    expect(shares.at(-1)).toBe(1);
    const ending = answering({ status: 'infeasible' }, { status: 'stopped' });
    const stopped = milpPlan(DIAMOND, ending, { timeLimitSeconds: 5 });
    expect(stopped.stopped).toMatchObject({ limitSeconds: 5, by: 'work' });
  });

  it('leaves the clock to decide where both are given, and leaves each search a tenth of a second', () => {
    let now = 0;
    const solver = answering({ status: 'infeasible' });
    milpPlan(DIAMOND, solver, { timeLimitSeconds: 10, now: () => now++ * 100 });
    const [first = 0, second = 0] = solver.asked.map(({ request }) => request.limitSeconds);
    expect(first).toBeLessThanOrEqual(8.5);
    expect(second).toBeLessThan(first);
    const late = answering({ status: 'infeasible' });
    milpPlan(DIAMOND, late, { timeLimitSeconds: 1, now: () => now++ * 10_000 });
    expect(late.asked.map(({ request, isOver }) => [request.limitSeconds, isOver])).toEqual([
      [0.1, true],
      [0.1, true],
    ]);
  });

  it('refuses a budget below the bound, and one within which nothing was found', () => {
    const refusal = (budgetBytes: number, answer: Partial<MilpResult>, problem = DIAMOND): string => {
      try {
        milpPlan(problem, answering(answer), { budgetBytes });
      } catch (error) {
        if (error instanceof InfeasibleError) return error.message;
      }
      return '';
    };
    const known = 'every schedule needs 26 bytes or more, and 28 bytes is known to work';
    expect(refusal(25, {})).toBe(`no schedule fits 25 bytes; ${known}`);
    expect(refusal(26, { status: 'infeasible' })).toBe(
      `milp cannot fit 26 bytes: none of the schedules with 2 sweeps between two backward steps fits; ${known}`,
    );
    expect(refusal(27, { status: 'stopped' })).toBe(
      `milp cannot fit 27 bytes: none was found before the time limit; ${known}`,
    );
    expect(refusal(28, { status: 'stopped' })).toBe('');
    // The same behind a chain, so that the graph is no small one.
    const edges = Array.from({ length: 7 }, (_, i) => `${i}>${i + 1}`).join(' ');
    const long = bytesProblem([8, 0, 0, 0, 0, 0, 0, 0, 5, 3, 4, 0], `${edges} 7>8 8>9 8>10 9>11 10>11`);
    expect(refusal(26, { status: 'infeasible' }, long)).toBe(
      `milp cannot fit 26 bytes: none of the schedules with one sweep between two backward steps fits; ${known}`,
    );
  });

  it('claims what is least within a budget, as far as it is proved', () => {
    const kind = 'milp-within-budget';
    const roomy = milpPlan(DIAMOND, answering(), { budgetBytes: 32 });
    expect(roomy.claim).toEqual({ kind, sweeps: 2, budgetBytes: 32, proved: true });
    expect(solveRow(DIAMOND, 'regular', { seed: 1 }).schedule).toEqual(roomy.schedule);
    for (const [status, proved] of [
      ['stopped', false],
      ['infeasible', true],
    ] as const) {
      const solver = answering({ status });
      const plan = milpPlan(DIAMOND, solver, { budgetBytes: 31 });
      expect(plan.claim).toEqual({ kind, sweeps: 2, budgetBytes: 31, proved });
      expect(solver.asked).toHaveLength(1);
      // `budget` forwards 3 bytes again, of which nothing is known to be less.
      const { recomputeFlops } = solveRow(DIAMOND, 'budget', { seed: 1, budgetBytes: 31 });
      const [model] = solver.asked.map((one) => one.model);
      expect(model?.rowUpper[model.rows - 1]).toBeCloseTo(1 + (recomputeFlops ?? 0) / 12, 12);
    }
  });

  it('takes the solver’s plan if it is better than the known one', async () => {
    const chain = bytesProblem(new Array<number>(6).fill(4), '0>1 1>2 2>3 3>4 4>5');
    // Memory-poor has the lowest peak, and forwards 60 bytes again.
    expect(figures(chain, 'memory-poor')).toEqual([20, 60]);
    const row = solveRow(chain, 'milp', { seed: 1, milpSolver: await createHighsSolver() });
    expect([row.peakBytes, row.recomputeFlops]).toEqual([
      20,
      new ExhaustiveSchedules(chain).leastRecompute(20),
    ]);
    expect(row.recomputeFlops).toBe(24);
  });

  it('does not apply to more than 42 vertices, without a solver, or if it fails', () => {
    // Regular training meets the bound.
    const chain = (size: number): Problem =>
      bytesProblem(
        [1, ...new Array<number>(size - 2).fill(0), 2],
        Array.from({ length: size - 1 }, (_, i) => `${i}>${i + 1}`).join(' '),
      );
    const reasonOf = (problem: Problem, options: Partial<StrategyOptions>): string => {
      const plan = milp.plan(problem, { seed: 1, ...options }, NO_CONTROL);
      return plan.applicable ? '' : plan.reason;
    };
    expect(reasonOf(chain(42), { milpSolver: answering() })).toBe('');
    expect(reasonOf(chain(43), { milpSolver: answering() })).toBe(
      '43 vertices are too many for an exact search (at most 42); try live or budget',
    );
    expect(reasonOf(DIAMOND, {})).toBe('no MILP solver is loaded here');
    const broken = (error: Error): MilpSolver => ({
      solve() {
        throw error;
      },
    });
    expect(reasonOf(DIAMOND, { milpSolver: broken(new MilpSolverError('out of memory')) })).toBe(
      'the MILP solver failed here (out of memory); try live or budget',
    );
    expect(() => reasonOf(DIAMOND, { milpSolver: broken(new Error('a bug')) })).toThrow('a bug');
  });
});
