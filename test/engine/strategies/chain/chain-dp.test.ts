import { describe, expect, it } from 'vitest';
import { InfeasibleError } from '../../../../engine/errors.ts';
import { createProblem } from '../../../../engine/problem.ts';
import { solveRow } from '../../../../engine/strategies/solve.ts';
import { simulate } from '../../../../engine/simulate/simulate.ts';
import { chainDp, chainPlans } from '../../../../engine/strategies/chain/chain-dp.ts';
import { NO_CONTROL, type Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { ExhaustiveSchedules } from '../../../../engine/bounds/exhaustive-schedules.ts';
import { draws } from '../../../support/draws.ts';
import { bytesChain } from '../../../support/problems.ts';
import { between, createRng } from '../../../support/rng.ts';

const at = (budgetBytes: number) => ({ seed: 1, budgetBytes });

describe('chain-dp', () => {
  it('[article 002] recomputes as little as any schedule within a budget, on most short chains', () => {
    const rng = createRng(12);
    let equal = 0;
    let tried = 0;
    const runs = draws(60);
    for (let run = 0; run < runs; run++) {
      const cost = Array.from({ length: between(rng, 4, 8) }, () => between(rng, 1, 9));
      const problem = createProblem(bytesChain(cost), 'pytorch');
      const search = new ExhaustiveSchedules(problem);
      const lowest = search.lowestPeak();
      const highest = solveRow(problem, 'regular', { seed: 1 }).peakBytes ?? 0;
      for (const budget of [lowest, Math.floor((lowest + highest) / 2), highest]) {
        try {
          const row = solveRow(problem, 'chain-dp', at(budget));
          const least = search.leastRecompute(budget);
          expect(row.peakBytes).toBeLessThanOrEqual(budget);
          expect(row.recomputeFlops).toBeGreaterThanOrEqual(least);
          tried++;
          if (row.recomputeFlops === least) equal++;
        } catch (error) {
          expect(error).toBeInstanceOf(InfeasibleError);
        }
      }
    }
    expect(tried).toBeGreaterThan(2.5 * runs);
    expect(equal / tried).toBeGreaterThan(0.9);
  });

  it('names the least budget that it reaches', () => {
    const problem = createProblem(bytesChain([1, 2, 3, 4, 5]), 'pytorch');
    expect(() => solveRow(problem, 'chain-dp', at(5))).toThrow(
      'chain-dp cannot fit 5 bytes; the smallest budget it reaches is 19 bytes, and every schedule needs 19 bytes or more',
    );
  });

  it('claims the budget that it keeps to and the unit to which it rounds', () => {
    const small = createProblem(bytesChain([1, 2, 3, 4, 5]), 'pytorch');
    const claimOf = (problem: Problem, budgetBytes?: number) => {
      const options = { seed: 1, ...(budgetBytes === undefined ? {} : { budgetBytes }) };
      const plan = chainDp.plan(problem, options, NO_CONTROL);
      return plan.applicable ? plan.claim : plan.reason;
    };
    const kind = 'chain-within-budget';
    expect(claimOf(small, 22.5)).toEqual({ kind, budgetBytes: 22, unitBytes: 1 });
    // Without one, the peak of the papers' optimum.
    const { peakBytes } = solveRow(small, 'optimal', { seed: 1 });
    expect(claimOf(small)).toEqual({ kind, budgetBytes: peakBytes, unitBytes: 1 });
    // All sizes are multiples of 8; of 1009 and others only of 1, so that 500 units are coarser.
    const even = createProblem(bytesChain([8, 16, 24, 32, 40]), 'pytorch');
    expect(claimOf(even, 180)).toEqual({ kind, budgetBytes: 180, unitBytes: 8 });
    const odd = createProblem(bytesChain([1000, 2003, 3001, 4001, 5003]), 'pytorch');
    expect(claimOf(odd, 24_000)).toEqual({ kind, budgetBytes: 24_000, unitBytes: 46 });
    expect(claimOf(createProblem(bytesChain([1, 1]), 'pytorch'))).toBe(
      'there is no vertex between source and target',
    );
    const many = createProblem(bytesChain(new Array<number>(230).fill(1)), 'pytorch');
    expect(claimOf(many)).toBe('229 stages are too many for dynamic programming; try revolve or budget');
    expect(chainPlans(many, 1000, NO_CONTROL)).toEqual([]);
  });
});

describe('the plans of chain-dp for all budgets', () => {
  const figures = (problem: Problem, bytes: number): [number, number][] =>
    chainPlans(problem, bytes, NO_CONTROL).map((schedule) => {
      const { peakBytes, recomputeWork } = simulate(problem.graph, problem.memory, schedule);
      return [peakBytes, recomputeWork];
    });

  it('are one for each amount of work, the least at every budget', () => {
    const problem = createProblem(bytesChain([1, 2, 3, 4, 5, 6]), 'pytorch');
    const { peakBytes: regular } = solveRow(problem, 'regular', { seed: 1 });
    const found = figures(problem, regular ?? 0);
    expect(found.length).toBeGreaterThan(3);
    const works = found.map(([, work]) => work);
    expect(works).toEqual([...new Set(works)].sort((a, b) => b - a));
    expect(found.at(-1)).toEqual([regular, 0]);
    // Nothing is rounded, so that a quarter of the budget is planned no finer.
    expect(figures(problem, 8 * (regular ?? 0))).toEqual(found);
    for (let budget = 20; budget <= (regular ?? 0); budget++) {
      const fitting = found.filter(([peak]) => peak <= budget).map(([, work]) => work);
      if (fitting.length === 0) {
        expect(() => solveRow(problem, 'chain-dp', at(budget))).toThrow(InfeasibleError);
        continue;
      }
      expect(Math.min(...fitting), `${budget}`).toBe(
        solveRow(problem, 'chain-dp', at(budget)).recomputeFlops,
      );
    }
  });

  it('are finer where budgets are small: a quarter and a sixteenth of the whole', () => {
    // The sizes of the first half are small beside those of the budget asked for.
    const problem = createProblem(bytesChain([1000, 2003, 3001, 4001, 5003]), 'pytorch');
    const { peakBytes: regular } = solveRow(problem, 'regular', { seed: 1 });
    const wide = figures(problem, 16 * (regular ?? 0));
    const narrow = figures(problem, regular ?? 0);
    const least = (plans: [number, number][]) => Math.min(...plans.map(([peak]) => peak));
    expect(least(wide)).toBe(least(narrow));
    expect(wide.some(([, work]) => work === 0)).toBe(true);
  });

  it('are empty without a chain, or with only a source', () => {
    expect(figures(createProblem(bytesChain([1, 1]), 'pytorch'), 100)).toEqual([]);
    expect(figures(createProblem(bytesChain([5, 1, 1, 1]), 'pytorch'), 5)).toEqual([]);
    expect(figures(createProblem(bytesChain([5, 1, 1, 1]), 'pytorch'), 100).length).toBeGreaterThan(0);
  });
});
