import { describe, expect, it } from 'vitest';
import { solveOptimal } from '../../../engine/paper/solve-optimal.ts';
import { createProblem } from '../../../engine/problem.ts';
import { buildModel, MODELS } from '../../../engine/zoo/zoo.ts';
import facts from '../../fixtures/graph-facts.json' with { type: 'json' };

/** Float32: the facts count elements, the graphs bytes. */
const BYTES = 4;

describe("the authors' figures", () => {
  it.each(Object.entries(facts.networks))('[A6] finds the optimum of Eq. 2 on %s', (name, fact) => {
    const { view } = createProblem(buildModel(name, { batch: 1 }), 'pytorch');
    expect(solveOptimal(view.tensors).cost / BYTES).toBe(fact.optimalElements);
  });

  it('[D9] has an optimum on every network that scales with the batch', () => {
    for (const { name } of MODELS) {
      const costOf = (batch: number): number =>
        solveOptimal(createProblem(buildModel(name, { batch }), 'pytorch').view.tensors).cost;
      expect(costOf(3), name).toBe(3 * costOf(1));
    }
  });
});
