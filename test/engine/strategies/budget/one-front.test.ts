import { describe, expect, it } from 'vitest';
import { createHighsSolver } from '../../../../app/bridges/highs.ts';
import { InfeasibleError } from '../../../../engine/errors.ts';
import { createProblem } from '../../../../engine/problem.ts';
import { type ParetoPoint, paretoFront } from '../../../../engine/strategies/budget/pareto-front.ts';
import { PEERS } from '../../../../engine/strategies/planner/peers.ts';
import { Planner } from '../../../../engine/strategies/planner/planner.ts';
import { STRATEGIES } from '../../../../engine/strategies/registry.ts';
import { type SolvedStrategy, solveRow } from '../../../../engine/strategies/solve.ts';
import {
  isTold,
  NO_CONTROL,
  type Problem,
  type Strategy,
  type StrategyOptions,
} from '../../../../engine/strategies/strategy/strategy.ts';
import { buildModel } from '../../../../engine/zoo/zoo.ts';
import { measuredProblems } from '../../../support/measured-graphs.ts';
import { randomProblems } from '../../../support/problems.ts';
import { unlimited } from '../../../support/search-limits.ts';

const milpSolver = await createHighsSolver();
/** Its programs grow with the square of the vertices. */
const MAX_OF_MILP = 8;

/** Plans of a strategy at each of the budgets, or one if it takes none. */
function* foundBy(
  strategy: Strategy,
  problem: Problem,
  budgets: readonly number[],
): Generator<SolvedStrategy> {
  if (strategy.needsMilpSolver === true && problem.graph.size > MAX_OF_MILP) return;
  const options: StrategyOptions = { seed: 0, ...(strategy.needsMilpSolver === true ? { milpSolver } : {}) };
  if (!isTold(strategy, { ...options, budgetBytes: 1 })) return;
  for (const budgetBytes of strategy.reads.budgetBytes === undefined ? [undefined] : budgets) {
    try {
      const row = solveRow(problem, strategy.name, {
        ...options,
        ...(budgetBytes === undefined ? {} : { budgetBytes }),
      });
      if (row.applicable) yield row;
    } catch (error) {
      if (!(error instanceof InfeasibleError)) throw error;
    }
  }
}

/** True when a point on the front is no larger in either figure. */
const isCovered = (
  front: readonly ParetoPoint[],
  { peakBytes, recomputeFraction }: SolvedStrategy,
): boolean =>
  front.some(
    (point) =>
      point.peakBytes <= (peakBytes ?? 0) && point.recomputeFraction <= (recomputeFraction ?? 0) + 1e-12,
  );

function* little(): Generator<[string, Problem, ...unknown[]]> {
  yield* randomProblems(30, 177, 12);
  yield* measuredProblems(30, 178, { least: 4, most: 12 });
}

function* larger(): Generator<[string, Problem, ...unknown[]]> {
  yield* randomProblems(6, 179, 24);
  yield* measuredProblems(4, 180, { least: 13, most: 24 });
}

describe('one front', () => {
  it.each([
    ['little graphs', little],
    ['larger ones', larger],
  ])('misses no point that any strategy finds at any budget: %s', (_name, problems) => {
    const found = new Map<string, number>();
    for (const [name, problem] of problems()) {
      const front = paretoFront(problem, NO_CONTROL);
      const [high, low] = [front[0]!.peakBytes, front.at(-1)!.peakBytes];
      const budgets = Array.from({ length: 6 }, (_, i) =>
        Math.max(1, Math.floor(low + ((high - low) * i) / 5)),
      );
      for (const strategy of STRATEGIES) {
        for (const row of foundBy(strategy, problem, budgets)) {
          found.set(strategy.name, (found.get(strategy.name) ?? 0) + 1);
          expect(isCovered(front, row), `${strategy.name} on ${name}`).toBe(true);
        }
      }
    }
    for (const name of ['live', 'budget', 'dtr', 'chain-dp', 'random'])
      expect(found.get(name) ?? 0, name).toBeGreaterThan(5);
    if (problems === little) expect(found.get('milp') ?? 0).toBeGreaterThan(20);
  });

  it.each(['resnet18', 'mobilenet-v2', 'unet'])(
    'asks every strategy at its budgets, where a network is too large for a list: %s',
    (model) => {
      const problem = createProblem(buildModel(model, { batch: 1 }), 'pytorch');
      const front = paretoFront(problem, NO_CONTROL);
      const search = new Planner(problem, unlimited(), 0);
      const budgets = search.frontBudgets.filter((_, i) => i % 3 === 0);
      // The lowest of all, and what regular training needs.
      budgets.push(front.at(-1)!.peakBytes, search.regular.peakBytes);
      for (const strategy of STRATEGIES) {
        // Whose search is the front's own, with less effort at each budget.
        if (strategy.name === 'budget') continue;
        for (const row of foundBy(strategy, problem, budgets))
          expect(isCovered(front, row), `${strategy.name} at ${row.peakBytes}`).toBe(true);
      }
    },
  );

  it('asks strategies that are registered later', () => {
    const asked: number[] = [];
    const later: Strategy = {
      ...PEERS.find(({ name }) => name === 'knapsack')!,
      name: 'later',
      asSource: { maxVertices: 70, looks: () => 1 },
      plan(_problem, { budgetBytes }) {
        asked.push(budgetBytes ?? 0);
        return { applicable: false, reason: 'it only listens' };
      },
    };
    const registered = PEERS as Strategy[];
    registered.push(later);
    try {
      const problem = createProblem(buildModel('resnet18', { batch: 1 }), 'pytorch');
      paretoFront(problem, NO_CONTROL);
      expect(asked.length).toBeGreaterThanOrEqual(8);
      expect(new Set(asked).size).toBe(asked.length);
      // Not on a graph that is too large for it.
      asked.length = 0;
      registered[registered.length - 1] = {
        ...later,
        asSource: { maxVertices: problem.graph.size - 1, looks: () => 1 },
      };
      paretoFront(problem, NO_CONTROL);
      expect(asked).toEqual([]);
    } finally {
      registered.pop();
    }
  });
});
