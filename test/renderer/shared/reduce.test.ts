import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reduceColumns, reduceIndices } from '../../../renderer/shared/charts/reduce.ts';

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
    expect([...reduceIndices([3, 1, 2], 4)]).toEqual([0, 1, 2]);
    expect([...reduceIndices([], 4)]).toEqual([]);
  });
});

it('reduction by columns of pixels keeps the smallest, the largest and the last of every column, in at most three points each', () => {
  fc.assert(
    fc.property(series, fc.integer({ min: 1, max: 400 }), fc.nat(), (values, columns, cut) => {
      const from = cut % values.length;
      const columnOf = (i: number) => Math.floor((i / values.length) * columns);
      const chosen = reduceColumns(values, from, values.length - 1, columnOf);
      for (let i = 1; i < chosen.length; i++) expect(chosen[i]!).toBeGreaterThan(chosen[i - 1]!);
      const byColumn = new Map<number, number[]>();
      for (let i = from; i < values.length; i++) {
        byColumn.set(columnOf(i), [...(byColumn.get(columnOf(i)) ?? []), i]);
      }
      for (const [column, all] of byColumn) {
        const kept = chosen.filter((i) => columnOf(i) === column);
        const of = (list: readonly number[]) => list.map((i) => values[i]!);
        expect(kept.length).toBeLessThanOrEqual(3);
        expect(kept.at(-1)).toBe(all.at(-1));
        expect(Math.max(...of(kept))).toBe(Math.max(...of(all)));
        expect(Math.min(...of(kept))).toBe(Math.min(...of(all)));
      }
    }),
  );
  expect(reduceColumns([], 0, -1, () => 0)).toEqual([]);
});
