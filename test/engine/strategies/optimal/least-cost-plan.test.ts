import { describe, expect, it } from 'vitest';
import { buildDivisionTree } from '../../../../engine/paper/build-division-tree.ts';
import { MaxTermEvaluator } from '../../../../engine/paper/max-term-evaluator.ts';
import { leastCostChoices, solveTree } from '../../../../engine/paper/solve-optimal.ts';
import { createProblem } from '../../../../engine/problem.ts';
import { planFromCheckpoints } from '../../../../engine/strategies/strategy/from-checkpoints.ts';
import { optimal } from '../../../../engine/strategies/optimal/optimal.ts';
import { type Problem, NO_CONTROL } from '../../../../engine/strategies/strategy/strategy.ts';
import { simulate } from '../../../../engine/simulate/simulate.ts';
import { buildModel } from '../../../../engine/zoo/zoo.ts';
import { planOf } from '../../../support/plans.ts';

/** Every answer of Algorithm 5 of least Eq. 2, by trying each max term that changes it. */
function everyOptimum({ view }: Problem): (readonly number[])[] {
  const tree = buildDivisionTree(view.tensors);
  const evaluator = new MaxTermEvaluator(tree);
  const { cost } = solveTree(tree);
  const found = new Map<string, readonly number[]>();
  for (let limit = 0; limit <= cost; ) {
    const { checkpointCost, maxTerm, nextMaxTerm } = evaluator.evaluate(limit);
    const checkpoints = evaluator.checkpoints();
    if (checkpointCost + maxTerm === cost) found.set(checkpoints.join(), checkpoints);
    limit = Math.max(limit + 1, nextMaxTerm);
  }
  return [...found.values()];
}

const peakOf = (problem: Problem, checkpoints: readonly number[]): number => {
  const { schedule } = planFromCheckpoints(problem, { seed: 0 }, checkpoints);
  return simulate(problem.graph, problem.memory, schedule).peakBytes;
};

// Networks of the zoo with several sets of least Eq. 2, and how many.
const TIED = [
  ['resnet50', 2],
  ['unet', 2],
  ['bert-base', 3],
  ['forty-layers', 6],
  ['chain-32', 5],
] as const;

describe('equal Eq. 2', () => {
  it.each(TIED)('%s: all its optima are found, fewest checkpoints first', (name, count) => {
    const problem = createProblem(buildModel(name, { batch: 2 }), 'pytorch');
    const all = everyOptimum(problem);
    const tree = buildDivisionTree(problem.view.tensors);
    const choices = leastCostChoices(tree, 64);
    expect(all).toHaveLength(count);
    expect(choices.map(({ checkpoints }) => [...checkpoints].join()).sort()).toEqual(
      all.map((checkpoints) => checkpoints.join()).sort(),
    );
    expect(choices[0]).toMatchObject({ checkpoints: solveTree(tree).checkpoints });
    expect(leastCostChoices(tree, 1)).toEqual(choices.slice(0, 1));
  });

  it.each(TIED)('%s: the one of the lowest peak is kept', (name) => {
    const problem = createProblem(buildModel(name, { batch: 2 }), 'pytorch');
    const { peakBytes } = simulate(problem.graph, problem.memory, planOf(optimal, problem).schedule);
    expect(peakBytes).toBe(Math.min(...everyOptimum(problem).map((set) => peakOf(problem, set))));
  });

  it('ResNet-50 keeps nine where eight cost as much and peak higher', () => {
    const problem = createProblem(buildModel('resnet50', { batch: 2 }), 'pytorch');
    const plan = optimal.plan(problem, { seed: 0 }, NO_CONTROL);
    const { checkpoints } = solveTree(buildDivisionTree(problem.view.tensors));
    expect(plan.applicable && plan.checkpoints).toHaveLength(9);
    expect(checkpoints).toHaveLength(8);
  });
});
