import { describe, expect, it } from 'vitest';
import { answer, reply } from '../../../app/bridges/torch/answer.ts';
import { peakOfAll, solveWithin } from '../../../app/bridges/torch/held-forwards.ts';
import { InfeasibleError } from '../../../engine/errors.ts';
import { graphFile } from '../../../engine/exchange/graph-file.ts';
import { createProblem } from '../../../engine/problem.ts';
import { type SolvedStrategy, solveRow } from '../../../engine/strategies/solve.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';

const CASES = ['tiny-residual', 'chain-16', 'cifar-resnet-20'].flatMap((name) =>
  [1.5, 3].flatMap((forwards) => [50, 75].map((percent) => ({ name, forwards, percent }))),
);
const BUDGETS = 10;
const PLANS = new Map<string, readonly SolvedStrategy[]>();

const solverOf = (name: string): ((budgetBytes: number) => SolvedStrategy) => {
  const problem = createProblem(buildModel(name, { batch: 4 }), 'pytorch');
  return (budgetBytes) => solveRow(problem, 'budget', { budgetBytes, seed: 0 });
};

/** Plans at evenly spaced budgets, the last of which is regular training. */
const plansOf = (name: string): readonly SolvedStrategy[] => {
  const known = PLANS.get(name);
  if (known !== undefined) return known;
  const solve = solverOf(name);
  const regular = solve(Number.MAX_SAFE_INTEGER);
  const plans = Array.from({ length: BUDGETS }, (_, i) => {
    try {
      return solve(Math.floor((regular.peakBytes! * (i + 1)) / BUDGETS));
    } catch {
      return regular;
    }
  });
  PLANS.set(name, plans);
  return plans;
};

describe('forward passes at once', () => {
  it.each(CASES)(
    '$forwards of $name stay within $percent % of what they need',
    ({ name, forwards, percent }) => {
      const needOf = ({ peakBytes, savedBytes }: SolvedStrategy): number =>
        peakOfAll(peakBytes!, savedBytes!, forwards);
      const budget = Math.floor((needOf(plansOf(name).at(-1)!) * percent) / 100);
      const { solved, budgetBytes } = solveWithin(solverOf(name), budget, forwards);
      expect(needOf(solved)).toBeLessThanOrEqual(budget);
      expect(solverOf(name)(budgetBytes)).toEqual(solved);
      const others = plansOf(name).filter((other) => needOf(other) <= budget);
      expect(others.length).toBeGreaterThan(0);
      const least = Math.min(...others.map((other) => other.recomputeFraction!));
      expect(solved.recomputeFraction!).toBeLessThanOrEqual(least + 0.05);
    },
  );

  it('are refused with the least bytes that all of them are known to need', () => {
    const graph = graphFile(buildModel('chain-16', { batch: 4 }));
    const refused = JSON.parse(reply(JSON.stringify({ graph, budget: '900', forwards: 3 })));
    expect(refused.error.message).toMatch(
      /^a budget of 900 B is too small for forward passes at once that are 3 times as large as the captured one, with a smallest known need of .*; the smallest budget known to work is \d+$/,
    );
    const { leastBudget } = refused.error;
    expect(answer({ graph, budget: leastBudget, forwards: 3 }).row.peakBytes).toBeLessThanOrEqual(
      +leastBudget,
    );
    expect(() => answer({ graph, budget: `${leastBudget - 1}`, forwards: 3 })).toThrow(InfeasibleError);
  });

  it('need what one needs, and what the others hold, in each figure', () => {
    const graph = graphFile(buildModel('tiny-residual', { batch: 4 }));
    const [one, three] = [1, 3].map((forwards) => answer({ graph, strategy: 'regular', forwards }));
    const { peakBytes, savedBytes } = one!.row;
    expect(three!.row).toMatchObject({ peakBytes: peakBytes! + 2 * savedBytes!, savedBytes, claim: null });
    expect(three!.head.regularPeakBytes).toBe(three!.row.peakBytes);
    expect(three!.plan).toBe(one!.plan);
    expect(three!.sentence).toMatch(
      / It counts forward passes at once that are 3 times as large as the captured one\.$/,
    );
  });

  it('are at least one', () => {
    const graph = graphFile(buildModel('tiny-residual', { batch: 4 }));
    expect(() => answer({ graph, forwards: 0 })).toThrow('forwards must be a number of at least 1, got 0');
  });
});
