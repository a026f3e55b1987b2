import fc from 'fast-check';
import { expect, it } from 'vitest';
import { searchMaxTerm } from '../../../engine/paper/search-max-term.ts';
import { check } from './arbitrary-graph.ts';

/** f as steps: f(C) = cost of the last step whose max term is at most C. Costs fall from step to step. */
const steps = fc
  .array(fc.record({ gap: fc.integer({ min: 1, max: 9 }), drop: fc.nat(9), count: fc.nat(5) }), {
    minLength: 1,
    maxLength: 40,
  })
  .map((list) => {
    let maxTerm = -list[0]!.gap;
    let checkpointCost = list.reduce((sum, { drop }) => sum + drop, 0);
    return list.map(({ gap, drop, count }) => {
      maxTerm += gap;
      checkpointCost -= drop;
      return { maxTerm, checkpointCost, checkpointCount: count };
    });
  });

it('searchMaxTerm [A6] finds the best step, of equals the one with the fewest checkpoints, then the smallest max term', () => {
  check(steps, 2000, (list) => {
    const asked: number[] = [];
    const { best, maxTerm, ties, evaluations } = searchMaxTerm((limit) => {
      asked.push(limit);
      const at = list.findLastIndex((step) => step.maxTerm <= limit);
      return { ...list[at]!, nextMaxTerm: list[at + 1]?.maxTerm ?? Number.POSITIVE_INFINITY };
    });
    const [expected] = [...list].sort(
      (a, b) =>
        a.maxTerm + a.checkpointCost - b.maxTerm - b.checkpointCost ||
        a.checkpointCount - b.checkpointCount ||
        a.maxTerm - b.maxTerm,
    );
    expect(best).toMatchObject(expected!);
    expect(list.findLast((step) => step.maxTerm <= maxTerm)).toEqual(expected);
    const cost = expected!.maxTerm + expected!.checkpointCost;
    const least = list.filter((step) => step.maxTerm + step.checkpointCost === cost);
    const tied = ties.map(({ limit }) => list.findLast((step) => step.maxTerm <= limit)!);
    expect(tied.sort((a, b) => a.maxTerm - b.maxTerm)).toEqual(least);
    expect(asked).toHaveLength(evaluations);
    expect(evaluations).toBeLessThanOrEqual(2 * list.length + 1);
  });
});
