import { beforeAll, describe, expect, it } from 'vitest';
import { createHighsSolver } from '../../../../app/bridges/highs.ts';
import { ExhaustiveSchedules } from '../../../../engine/bounds/exhaustive-schedules.ts';
import { CancelledError, InfeasibleError } from '../../../../engine/errors.ts';
import { createProblem } from '../../../../engine/problem.ts';
import { simulate } from '../../../../engine/simulate/simulate.ts';
import { checkmateRounding } from '../../../../engine/strategies/checkmate/checkmate.ts';
import { epsilons, type Outcome } from '../../../../engine/strategies/checkmate/epsilons.ts';
import { relaxation } from '../../../../engine/strategies/checkmate/relaxation.ts';
import { completed, type Held, rounded } from '../../../../engine/strategies/checkmate/rounding.ts';
import { fineStages, joinStages, type Stages } from '../../../../engine/strategies/checkmate/stages.ts';
import { liveModel } from '../../../../engine/strategies/search/live-model.ts';
import { givenOrder } from '../../../../engine/strategies/search/orders.ts';
import type { MilpSolver } from '../../../../engine/strategies/milp/milp-solver.ts';
import { regularFigures } from '../../../../engine/strategies/regular.ts';
import { NO_CONTROL, type Plan, type Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { buildModel } from '../../../../engine/zoo/zoo.ts';
import { fewest } from '../../../support/draws.ts';
import { measuredProblems } from '../../../support/measured-graphs.ts';
import { createRng } from '../../../support/rng.ts';
import { planOf } from '../../../support/plans.ts';

let milpSolver: MilpSolver;
beforeAll(async () => {
  milpSolver = await createHighsSolver();
});

const stagesOf = ({ graph, memory }: Problem): Stages =>
  fineStages(liveModel(graph, memory, givenOrder(graph)));

const planned = (problem: Problem, budgetBytes?: number): Plan =>
  planOf(checkmateRounding, problem, { seed: 0, milpSolver, timeLimitSeconds: 60, budgetBytes });

const judged = ({ graph, memory }: Problem, { schedule }: Pick<Plan, 'schedule'>) =>
  simulate(graph, memory, schedule);

/** Every way to hold what is useful, or null where there are too many. */
function* everyHeld({ stages, useful, model }: Stages, most: number): Generator<Held> {
  const cells = useful.flatMap((items, t) =>
    items.flatMap((item) => [
      { t, item, isAux: false },
      ...(stages.slice(t).some(({ auxiliaries }) => auxiliaries.has(item)) ? [{ t, item, isAux: true }] : []),
    ]),
  );
  if (cells.length > most) return;
  for (let set = 0; set < 2 ** cells.length; set++) {
    const empty = (): Uint8Array[] =>
      Array.from({ length: stages.length + 1 }, () => new Uint8Array(model.items));
    const held = { values: empty(), auxiliaries: empty() };
    cells.forEach(({ t, item, isAux }, i) => {
      if ((set >> i) & 1) (isAux ? held.auxiliaries : held.values)[t]![item] = 1;
    });
    yield held;
  }
}

describe("Checkmate's linear program", () => {
  it('costs no more than the best schedule of its stages, and has a solution wherever there is one', () => {
    let [bounded, above, infeasible] = [0, 0, 0];
    for (const [name, problem] of measuredProblems(900, 51, { least: 3, most: 6 })) {
      const stages = stagesOf(problem);
      // Two auxiliaries in one storage count as one, that of the longer life.
      const homes = [...stages.model.itemOf].filter((_, v) => problem.memory.auxBytes[v]! > 0);
      if (new Set(homes).size < homes.length) continue;
      const found = [...everyHeld(stages, 10)].map((held) => {
        const { peakBytes, recomputeFraction } = judged(problem, { schedule: completed(stages, held) });
        return { peakBytes, recomputeFraction };
      });
      if (found.length < 2) continue;
      const peaks = [...new Set(found.map(({ peakBytes }) => peakBytes))].sort((a, b) => a - b);
      for (const budget of [peaks[0]!, peaks[Math.floor(peaks.length / 2)]!].filter((bytes) => bytes > 0)) {
        const least = Math.min(
          ...found.filter(({ peakBytes }) => peakBytes <= budget).map((one) => one.recomputeFraction),
        );
        const { status, bound } = milpSolver.solve(relaxation(stages, budget).model, {
          limitSeconds: 60,
          tolerance: 0,
          onProgress: () => false,
        });
        expect(status, name).toBe('optimal');
        expect(bound, `${name} within ${budget}`).toBeLessThanOrEqual(least + 1e-6);
        bounded++;
        if (bound > 1e-3) above++;
      }
      if (peaks[0]! < 2) continue;
      const { status } = milpSolver.solve(relaxation(stages, 0.3 * peaks[0]!).model, {
        limitSeconds: 60,
        tolerance: 0,
        onProgress: () => false,
      });
      if (status === 'infeasible') infeasible++;
    }
    expect(Math.min(bounded, above, infeasible)).toBeGreaterThan(fewest(60));
  });

  it('makes schedules that the simulator accepts, however it is rounded, at any number of stages', () => {
    const rng = createRng(9);
    for (const [name, problem] of measuredProblems(1200, 52, { least: 2, most: 16 })) {
      const fine = stagesOf(problem);
      for (const stages of [fine, joinStages(fine, 1 + rng.below(5))]) {
        const density = rng.below(100);
        const table = (): Uint8Array[] =>
          Array.from({ length: stages.stages.length + 1 }, (_, t) =>
            Uint8Array.from({ length: stages.model.items }, (__, item) =>
              t < stages.stages.length && stages.useful[t]!.includes(item) && rng.below(100) < density
                ? 1
                : 0,
            ),
          );
        const schedule = completed(stages, { values: table(), auxiliaries: table() });
        expect(() => simulate(problem.graph, problem.memory, schedule), name).not.toThrow();
      }
    }
  });

  it('rounds what is more than the threshold up', () => {
    const problem = createProblem(buildModel('tiny-residual', { batch: 2 }), 'pytorch');
    const stages = stagesOf(problem);
    const program = relaxation(stages, regularFigures(problem).peakBytes);
    const some = rounded(program, new Float64Array(program.model.columns).fill(0.5), 0.5);
    expect(some.values[0]!.reduce((sum, is) => sum + is, 0)).toBe(1);
    const all = rounded(program, new Float64Array(program.model.columns).fill(0.51), 0.5);
    expect(all.values[0]!.reduce((sum, is) => sum + is, 0)).toBe(1 + stages.useful[0]!.length);
  });
});

describe('the slack', () => {
  const tried = (outcomeOf: (epsilon: number) => Outcome, start: number | null = null): number[] => {
    const search = epsilons(start);
    const found: number[] = [];
    let next = search.next();
    while (next.done !== true) {
      found.push(next.value);
      next = search.next(outcomeOf(next.value));
    }
    return found;
  };

  it('is 0 where that does, and else between what does and what does not', () => {
    expect(tried(() => 'fits')).toEqual([0.1, 0]);
    expect(tried(() => 'infeasible')).toEqual([0.1, 0]);
    const between = tried((epsilon) => (epsilon >= 0.28 ? 'fits' : 'over'));
    expect(between.slice(0, 3)).toEqual([0.1, 0.2, expect.closeTo(0.3, 9)]);
    const least = Math.min(...between.filter((epsilon) => epsilon >= 0.28));
    expect(least).toBeLessThanOrEqual(0.28 + 0.0125 + 1e-9);
    expect(tried(() => 'over').at(-1)).toBeCloseTo(0.6, 9);
    expect(tried(() => 'over', 0.3)[0]).toBe(0.3);
  });
});

describe('checkmate-rounding', () => {
  it('keeps to every budget that it does not refuse, with no less recompute than the least there is', () => {
    let [kept, refused, least] = [0, 0, 0];
    for (const [name, problem] of measuredProblems(250, 53, { least: 3, most: 7 })) {
      const every = new ExhaustiveSchedules(problem);
      const regular = regularFigures(problem).peakBytes;
      for (const share of [0.85, 0.7]) {
        const budget = Math.max(1, Math.ceil(share * regular));
        try {
          const { peakBytes, recomputeWork } = judged(problem, planned(problem, budget));
          expect(peakBytes, name).toBeLessThanOrEqual(budget);
          const possible = every.leastRecompute(budget);
          expect(recomputeWork, name).toBeGreaterThanOrEqual(possible);
          if (recomputeWork === possible) least++;
          kept++;
        } catch (error) {
          if (!(error instanceof InfeasibleError)) throw error;
          const bytes = Number(/(\d+) bytes?\)?$/.exec(error.message)?.[1]);
          expect(bytes, error.message).toBeGreaterThan(budget);
          refused++;
        }
      }
    }
    expect(Math.min(kept, refused)).toBeGreaterThan(fewest(40));
    expect(least / kept).toBeGreaterThan(0.6);
  });

  it('is the same twice, and never above regular without a budget', () => {
    const problem = createProblem(buildModel('resnet18', { batch: 1, input: 64 }), 'pytorch');
    const regular = regularFigures(problem).peakBytes;
    const [one, two] = [planned(problem, 0.6 * regular), planned(problem, 0.6 * regular)];
    expect(one.schedule).toEqual(two.schedule);
    expect(one.stopped).toBeUndefined();
    expect(judged(problem, one).peakBytes).toBeLessThanOrEqual(0.6 * regular);
    expect(judged(problem, planned(problem)).peakBytes).toBeLessThan(regular);
    expect(judged(problem, planned(problem, regular)).recomputeWork).toBe(0);
  });

  it('returns the best plan so far at the limit, and says so', () => {
    const problem = createProblem(buildModel('resnet18', { batch: 1, input: 64 }), 'pytorch');
    const budgetBytes = Math.floor(0.8 * regularFigures(problem).peakBytes);
    const LAST = 8;
    let solved = 0;
    const counting: MilpSolver = {
      solve(model, request) {
        const result = milpSolver.solve(model, request);
        if (result.status !== 'stopped') solved++;
        return result;
      },
    };
    // Time is over before the last program.
    let looks = 0;
    const now = (): number => (solved < LAST ? 0 : 1000 * ++looks);
    const plan = checkmateRounding.plan(
      problem,
      { seed: 0, milpSolver: counting, budgetBytes, timeLimitSeconds: 30, now },
      NO_CONTROL,
    );
    expect(solved).toBe(LAST);
    const whole = judged(problem, planned(problem, budgetBytes));
    expect(judged(problem, plan as Plan).recomputeWork).toBeGreaterThan(whole.recomputeWork);
    expect(plan).toMatchObject({
      applicable: true,
      stopped: { limitSeconds: 30, by: 'clock', unfinished: [{ what: 'linear-programs', of: null }] },
    });
  });

  it('says if no program was solved in time', () => {
    const problem = createProblem(buildModel('densenet121', { batch: 1, input: 64 }), 'pytorch');
    const budgetBytes = Math.floor(0.8 * regularFigures(problem).peakBytes);
    const soon = { seed: 0, milpSolver, budgetBytes, timeLimitSeconds: 1e-3 };
    expect(checkmateRounding.plan(problem, soon, NO_CONTROL)).toEqual({
      applicable: false,
      reason: 'no linear program was solved within 0.001 s; allow more time, or try live or budget',
    });
  });

  it('is cancelled within a linear program', () => {
    const problem = createProblem(buildModel('densenet121', { batch: 1, input: 64 }), 'pytorch');
    const budgetBytes = Math.floor(0.5 * regularFigures(problem).peakBytes);
    let ticks = 0;
    const control = {
      tick(): void {
        if (++ticks === 3) throw new CancelledError();
      },
    };
    const options = { seed: 0, milpSolver, budgetBytes, timeLimitSeconds: 60 };
    expect(() => checkmateRounding.plan(problem, options, control)).toThrow(CancelledError);
  });

  it('refuses graphs that are too large, and requests without a solver', () => {
    const problem = createProblem(buildModel('chain-30', { batch: 1 }), 'pytorch');
    expect(checkmateRounding.plan(problem, { seed: 0, budgetBytes: 1 }, NO_CONTROL)).toEqual({
      applicable: false,
      reason: 'no MILP solver is loaded here',
    });
    const large = createProblem(buildModel('chain-9000', { batch: 1 }), 'pytorch');
    expect(checkmateRounding.plan(large, { seed: 0, milpSolver, budgetBytes: 1 }, NO_CONTROL)).toMatchObject({
      applicable: false,
      reason: expect.stringContaining('make the linear program too large; try live or budget'),
    });
  });
});
