import { describe, expect, it } from 'vitest';
import { ExhaustiveSchedules } from '../../../engine/bounds/exhaustive-schedules.ts';
import { InfeasibleError } from '../../../engine/errors.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
import { Planner } from '../../../engine/strategies/planner/planner.ts';
import { STRATEGIES, strategyOf } from '../../../engine/strategies/registry.ts';
import { SearchLimit } from '../../../engine/strategies/search/search-limit.ts';
import {
  NO_CONTROL,
  type Problem,
  type StrategyOptions,
} from '../../../engine/strategies/strategy/strategy.ts';
import { measuredProblems } from '../../support/measured-graphs.ts';
import { randomProblems } from '../../support/problems.ts';
import { orNull } from '../../support/plans.ts';

const SEED = 3;

interface Run {
  readonly name: string;
  readonly peak: number;
  readonly work: number;
}

/** Null where the strategy has no plan. */
function run(problem: Problem, name: string, options: Partial<StrategyOptions> = {}): Run | null {
  const plan = orNull(() => strategyOf(name).plan(problem, { seed: SEED, ...options }, NO_CONTROL));
  if (!plan?.applicable) return null;
  const { peakBytes, recomputeWork } = simulate(problem.graph, problem.memory, plan.schedule);
  return { name, peak: peakBytes, work: recomputeWork };
}

const ALONE = STRATEGIES.filter(
  ({ reads, needsMilpSolver }) =>
    needsMilpSolver === undefined && Object.values(reads).every((how) => how !== 'needs'),
);

/** Runs of every strategy that needs nothing but the graph. */
function others(problem: Problem): Run[] {
  return ALONE.flatMap(({ name }) => run(problem, name) ?? []);
}

/** Every peak of these, right below it, and between it and the next. */
function budgetsOf(runs: readonly Run[]): number[] {
  const peaks = [...new Set(runs.map(({ peak }) => peak))].sort((a, b) => a - b);
  const budgets = peaks.flatMap((peak, i) => [
    peak - 1,
    peak,
    Math.floor((peak + (peaks[i + 1] ?? peak)) / 2),
  ]);
  return [...new Set(budgets)].filter((bytes) => bytes > 0).sort((a, b) => a - b);
}

describe('budget on little graphs', () => {
  it('equals an exhaustive search at every budget, the least one too', () => {
    const larger = measuredProblems(12, 95, { least: 8, most: 9 });
    for (const [name, problem] of [...measuredProblems(1500, 94, { least: 2, most: 6 }), ...larger]) {
      const every = new ExhaustiveSchedules(problem);
      const least = every.lowestPeak();
      const regular = run(problem, 'regular')!.peak;
      for (const budgetBytes of new Set([least, Math.floor((least + regular) / 2), regular])) {
        if (budgetBytes === 0) continue;
        const found = run(problem, 'budget', { budgetBytes });
        expect(found?.peak, name).toBeLessThanOrEqual(budgetBytes);
        expect(found?.work, name).toBe(every.leastRecompute(budgetBytes));
      }
      if (least <= 1) continue;
      let refusal: unknown;
      try {
        strategyOf('budget').plan(problem, { seed: SEED, budgetBytes: least - 1 }, NO_CONTROL);
      } catch (error) {
        refusal = error;
      }
      expect(refusal, name).toBeInstanceOf(InfeasibleError);
      expect(String(refusal), name).toContain(`no schedule fits`);
      expect(String(refusal), name).toMatch(new RegExp(`\\b${least} bytes\\b`));
    }
  });

  it('is exact on twelve vertices too', () => {
    for (const [name, problem] of measuredProblems(15, 96, { least: 12, most: 12 })) {
      const { peak } = run(problem, 'live')!;
      if (peak === 0) continue;
      const plan = strategyOf('budget').plan(problem, { seed: SEED, budgetBytes: peak }, NO_CONTROL);
      expect(plan, name).toMatchObject({ claim: { kind: 'exact-recompute' } });
    }
  });
});

it('budget beside the other strategies meets every budget that another strategy meets, with no more recompute', () => {
  const problems = [...measuredProblems(24, 97, { least: 8, most: 26 }), ...randomProblems(60, 51, 13)];
  for (const [name, problem] of problems) {
    const alone = others(problem);
    for (const budgetBytes of budgetsOf(alone).filter((_, i) => i % 3 === 0)) {
      const found = run(problem, 'budget', { budgetBytes });
      const told = ['chain-dp', 'dtr', 'knapsack'].flatMap(
        (other) => run(problem, other, { budgetBytes }) ?? [],
      );
      for (const other of [...alone, ...told]) {
        if (other.peak > budgetBytes) continue;
        expect(found?.peak, `${other.name} at ${budgetBytes} on ${name}`).toBeLessThanOrEqual(budgetBytes);
        expect(found?.work, `${other.name} at ${budgetBytes} on ${name}`).toBeLessThanOrEqual(other.work);
      }
    }
  }
});

describe('recompute within a budget', () => {
  it('never grows with the budget on graphs of up to 64 vertices', () => {
    for (const [name, problem] of measuredProblems(14, 98, { least: 3, most: 34 })) {
      const budgets = budgetsOf(others(problem));
      const search = new Planner(problem, new SearchLimit({}, NO_CONTROL), SEED);
      let before = Number.POSITIVE_INFINITY;
      for (const budget of budgets) {
        const found = within(search, budget);
        // A budget that is met once is met by every larger one.
        if (Number.isFinite(before)) expect(found, `${budget} bytes on ${name}`).not.toBeNull();
        if (found === null) continue;
        expect(found.peakBytes, name).toBeLessThanOrEqual(budget);
        expect(found.recomputeWork, `${budget} bytes on ${name}`).toBeLessThanOrEqual(before);
        before = found.recomputeWork;
      }
    }
  });

  it('does not depend on earlier requests', () => {
    for (const [name, problem] of measuredProblems(6, 99, { least: 14, most: 24 })) {
      const budgets = budgetsOf(others(problem)).filter((_, i) => i % 5 === 0);
      const search = new Planner(problem, new SearchLimit({}, NO_CONTROL), SEED);
      for (const budget of budgets.reverse()) {
        const alone = within(new Planner(problem, new SearchLimit({}, NO_CONTROL), SEED), budget);
        if (alone === null) continue;
        expect(within(search, budget)?.recomputeWork, name).toBeLessThanOrEqual(alone.recomputeWork);
      }
    }
  });
});

const within = (search: Planner, budget: number) => orNull(() => search.within(budget));
