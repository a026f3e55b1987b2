import { describe, expect, it } from 'vitest';
import { createProblem } from '../../../engine/problem.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
import { knapsack, KnapsackPlans } from '../../../engine/strategies/knapsack/knapsack.ts';
import { ZeroOneKnapsack } from '../../../engine/strategies/knapsack/zero-one.ts';
import { regularFigures } from '../../../engine/strategies/regular.ts';
import { NO_CONTROL, type Plan, type Problem } from '../../../engine/strategies/strategy/strategy.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { workChain } from '../../support/live-models.ts';
import { between, createRng } from '../../support/rng.ts';
import { recomputed } from '../../support/schedule-text.ts';
import { planOf } from '../../support/plans.ts';

const planned = (problem: Problem, budgetBytes?: number) => planOf(knapsack, problem, { budgetBytes });

const judged = ({ graph, memory }: Problem, { schedule }: Plan) => simulate(graph, memory, schedule);

it('the 0/1 knapsack takes the most valuable set at every capacity, like a search of all sets', () => {
  const rng = createRng(5);
  for (let round = 0; round < 400; round++) {
    const things = between(rng, 0, 9);
    const weights = Array.from({ length: things }, () => rng.below(12));
    const values = Array.from({ length: things }, () => rng.below(20));
    const most = between(rng, 0, 40);
    const sack = new ZeroOneKnapsack(weights, values, most);
    const sum = (list: readonly number[], set: number): number =>
      list.reduce((total, one, i) => total + ((set >> i) & 1 ? one : 0), 0);
    for (let capacity = 0; capacity <= most; capacity++) {
      let best = 0;
      for (let set = 0; set < 1 << things; set++)
        if (sum(weights, set) <= capacity) best = Math.max(best, sum(values, set));
      const set = sack.within(capacity).reduce((bits, i) => bits | (1 << i), 0);
      expect(sum(weights, set)).toBeLessThanOrEqual(capacity);
      expect(sum(values, set)).toBe(best);
    }
  }
});

describe('knapsack', () => {
  it('keeps what costs most per byte', () => {
    // All alike but one that is dear and one that is cheap.
    const problem = workChain([1, 8, 8, 8, 8, 8, 8, 8, 8], [0, 5, 500, 5, 1, 5, 5, 5, 5]);
    const plan = planned(problem, regularFigures(problem).peakBytes - 8);
    const again = recomputed(plan.schedule);
    expect(again).toContain(4);
    expect(again).not.toContain(2);
  });

  it('recomputes no convolution before the budget asks for it', () => {
    const problem = createProblem(buildModel('densenet121', { batch: 1, input: 64 }), 'pytorch');
    const { graph } = problem;
    const convolutions = ({ schedule }: Plan): number =>
      recomputed(schedule).filter((v) => graph.operations[v]!.kind === 'conv2d').length;
    const regular = regularFigures(problem).peakBytes;
    const little = planned(problem, Math.floor(0.9 * regular));
    expect(judged(problem, little).recomputeWork).toBeGreaterThan(0);
    expect(convolutions(little)).toBe(0);
    const least = Math.min(...new KnapsackPlans(problem).all(NO_CONTROL).map(({ peakBytes }) => peakBytes));
    expect(convolutions(planned(problem, least))).toBeGreaterThan(0);
  });
});
