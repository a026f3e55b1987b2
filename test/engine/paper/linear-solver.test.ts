import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paperCost } from '../../../engine/paper/paper-cost.ts';
import {
  leapCost,
  linearCost,
  solveLinearByPairs,
  solveLinearUnder,
} from '../../../engine/paper/reference/linear-solver.ts';
import { solveLinear } from '../../../engine/paper/solve-linear.ts';
import { solveOptimal } from '../../../engine/paper/solve-optimal.ts';
import { bruteForceOptimum } from '../../support/brute-force.ts';
import { check } from './arbitrary-graph.ts';
import { chain, FIGURE_3, THREE_BRANCHES } from './figures.ts';

const costs = (maxLength: number, max = 12) =>
  fc.array(fc.integer({ min: 0, max }), { minLength: 2, maxLength });
const edgeList = (cost: readonly number[]) => ({
  n: cost.length,
  cost: [...cost],
  edges: cost.slice(1).map((_, i): [number, number] => [i, i + 1]),
});

describe('LCG solver', () => {
  it('[A1] leaps cost what lies strictly between, folded edges included', () => {
    const graph = { vertexCost: [9, 1, 2, 9], edgeCost: [10, 20, 30] };
    expect(leapCost(graph, 0, 1)).toBe(10);
    expect(leapCost(graph, 0, 2)).toBe(31);
    expect(leapCost(graph, 0, 3)).toBe(63);
  });

  it('[A1] figure 6: under C = 25 the run of members 10, 5, 10, 10 needs one checkpoint', () => {
    const run = { vertexCost: [1, 1, 1, 1, 1], edgeCost: [10, 5, 10, 10] };
    expect(solveLinearUnder(run, 25)).toEqual([2]);
    expect(solveLinearUnder(run, 9)).toBeUndefined();
  });

  it('[A1] case 1: N vertices of cost 1 cost about 2 sqrt(N)', () => {
    for (const n of [100, 400, 2500, 10_000]) {
      const solution = solveLinear(chain([7, ...new Array<number>(n).fill(1), 7]));
      if (!solution.ok) throw new Error('a chain is linear');
      // The checkpoints themselves are in no segment, so the optimum is a little below.
      expect(solution.cost).toBeLessThanOrEqual(2 * Math.sqrt(n));
      expect(solution.cost).toBeGreaterThanOrEqual(2 * Math.sqrt(n) - 2);
    }
  });

  it('[A1] by pairs, by search and by brute force reach the same minimum of Eq. 1', () => {
    check(costs(10), 400, (cost) => {
      const line = { vertexCost: cost, edgeCost: new Array<number>(cost.length - 1).fill(0) };
      const byPairs = solveLinearByPairs(line);
      const solution = solveLinear(chain(cost));
      if (!solution.ok) throw new Error('a chain is linear');
      const { cost: best, checkpointCost, maxTerm, checkpoints } = solution;
      const brute = bruteForceOptimum(edgeList(cost));
      expect({ cost: best, count: checkpoints.length, maxTerm }).toEqual(brute);
      expect(byPairs.cost).toBe(best);
      expect(linearCost(line, byPairs.checkpoints)).toBe(best);
      expect(paperCost(chain(cost), checkpoints)).toMatchObject({
        ok: true,
        cost: best,
        checkpointCost,
        maxTerm,
      });
    });
  });

  it('[A1] agrees with the ACG solver on longer chains', () => {
    check(costs(60, 1000), 100, (cost) => {
      const line = { vertexCost: cost, edgeCost: new Array<number>(cost.length - 1).fill(0) };
      const optimal = solveOptimal(chain(cost));
      expect(solveLinear(chain(cost))).toMatchObject({ ok: true, cost: optimal.cost });
      if (cost.length <= 25) expect(solveLinearByPairs(line).cost).toBe(optimal.cost);
    });
  });

  it('[A1] names the first vertex that makes a graph non-linear', () => {
    expect(solveLinear(FIGURE_3)).toEqual({ ok: false, vertex: 0, inputs: 0, outputs: 2 });
    expect(solveLinear(THREE_BRANCHES)).toEqual({ ok: false, vertex: 0, inputs: 0, outputs: 3 });
  });
});
