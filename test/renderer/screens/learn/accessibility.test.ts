import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leapCost, linearCost, solveLinearUnder } from '../../../../engine/paper/reference/linear-solver.ts';
import {
  accessModel,
  FIRST_COSTS,
  MIN_COST,
  MAX_COST,
  pathOf,
  readCosts,
} from '../../../../renderer/screens/learn/model/accessibility.ts';

const costs = fc.array(fc.integer({ min: MIN_COST, max: MAX_COST }), { minLength: 2, maxLength: 9 });
const linear = (vertexCost: readonly number[]) => ({
  vertexCost,
  edgeCost: vertexCost.slice(1).map(() => 0),
});

describe('accessibility graph', () => {
  it('[D8] has an edge for every pair, with the cost in between', () => {
    fc.assert(
      fc.property(costs, (vertexCost) => {
        const { leaps } = accessModel(vertexCost);
        expect(leaps).toHaveLength((vertexCost.length * (vertexCost.length - 1)) / 2);
        for (const { from, to, cost } of leaps) expect(cost).toBe(leapCost(linear(vertexCost), from, to));
      }),
    );
  });

  it('[A1] takes the cheapest path under every C, and the best of all as Eq. 1 by brute force', () => {
    fc.assert(
      fc.property(costs, (vertexCost) => {
        const model = accessModel(vertexCost);
        const graph = linear(vertexCost);
        for (const stop of model.stops) {
          const path = pathOf(model, stop);
          path.slice(1).forEach((to, i) => {
            expect(leapCost(graph, path[i]!, to)).toBeLessThanOrEqual(stop.maxTerm);
          });
          const reference = solveLinearUnder(graph, stop.maxTerm) ?? [];
          const price = (chosen: readonly number[]): number =>
            chosen.reduce((sum, k) => sum + vertexCost[k]!, 0);
          expect(price(stop.choice.checkpoints)).toBe(price(reference));
        }
        const inner = vertexCost.length - 2;
        let least = Number.POSITIVE_INFINITY;
        for (let set = 0; set < 2 ** inner; set++) {
          const chosen = Array.from({ length: inner }, (_, i) => i + 1).filter((k) => (set >> (k - 1)) & 1);
          least = Math.min(least, linearCost(graph, chosen));
        }
        expect(model.optimum.cost).toBe(least);
        expect(model.stops[model.best]?.choice.cost).toBe(least);
      }),
      { numRuns: 60 },
    );
  });

  it('reads costs from a link and falls back to the defaults', () => {
    expect(readCosts('1,2,3,4,5,6,7,8,9,10')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const text of [undefined, '', '1,2', '1,2,3,4,5,6,7,8,9,x', '1,2,3,4,5,6,7,8,9,1000'])
      expect(readCosts(text)).toEqual(FIRST_COSTS);
  });
});
