import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_POINTS, reduceIndices } from '../../../renderer/shared/charts/reduce.ts';

const series = fc.array(fc.double({ min: 0, max: 1e12, noNaN: true }), { minLength: 1, maxLength: 3000 });
const limits = fc.integer({ min: 4, max: 900 });

describe('min-max reduction', () => {
  it('never has more points than asked for, ascending and without repeats', () => {
    fc.assert(
      fc.property(series, limits, (values, limit) => {
        const chosen = reduceIndices(values, limit);
        expect(chosen.length).toBeLessThanOrEqual(Math.max(limit, 1));
        for (let i = 1; i < chosen.length; i++) expect(chosen[i]!).toBeGreaterThan(chosen[i - 1]!);
      }),
    );
  });

  it('keeps the first, the last, the largest and the smallest value', () => {
    fc.assert(
      fc.property(series, limits, (values, limit) => {
        const kept = Array.from(reduceIndices(values, limit), (i) => values[i]!);
        expect(kept[0]).toBe(values[0]);
        expect(kept.at(-1)).toBe(values.at(-1));
        expect(Math.max(...kept)).toBe(Math.max(...values));
        expect(Math.min(...kept)).toBe(Math.min(...values));
      }),
    );
  });

  it('keeps everything when there is room', () => {
    expect([...reduceIndices([3, 1, 2], MAX_POINTS)]).toEqual([0, 1, 2]);
    expect([...reduceIndices([], MAX_POINTS)]).toEqual([]);
  });
});
