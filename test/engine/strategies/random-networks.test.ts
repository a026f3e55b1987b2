import { describe, expect, it } from 'vitest';
import { createProblem } from '../../../engine/problem.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';

describe('random on networks', () => {
  it('keeps the set of the lowest peak of ten that are valid, all of one number that is drawn first', () => {
    const problem = createProblem(buildModel('resnet34', { batch: 2 }), 'pytorch');
    const rows = Array.from({ length: 20 }, (_, seed) => solveRow(problem, 'random', { seed }));
    const numbers = new Map<number, number>();
    for (const { claim, checkpoints } of rows) {
      expect(claim).toMatchObject({ kind: 'random-sets', valid: 10, trials: 10 });
      numbers.set(checkpoints.length, (numbers.get(checkpoints.length) ?? 0) + 1);
    }
    // Were the number drawn again with each set, a single checkpoint would be valid most often and kept most often.
    expect([...numbers.keys()].sort()).toEqual([1, 2, 3, 4, 5]);
    expect(Math.max(...numbers.values())).toBeLessThan(10);
  });

  it('stops at a number of which no set is found, and says how many were found before', () => {
    const problem = createProblem(buildModel('nasnet', { batch: 1 }), 'pytorch');
    const rows = Array.from({ length: 12 }, (_, seed) => solveRow(problem, 'random', { seed }));
    // As the paper says: not applicable, because it cannot find a valid solution.
    expect(rows.filter(({ applicable }) => !applicable).length).toBeGreaterThan(6);
    for (const { claim, reason } of rows) {
      if (claim?.kind !== 'random-sets')
        expect(reason).toMatch(/^no valid set of \d checkpoints in \d+ draws$/);
      else expect(claim.draws).toBeLessThan(20_000);
    }
  });
});
