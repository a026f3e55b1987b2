import { describe, expect, it } from 'vitest';
import { medianInterval, ratioInterval } from '../../engine/median-interval.ts';
import { createRng } from '../../engine/rng.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

describe('the interval of a median', () => {
  // Conover, Practical Nonparametric Statistics: ranks of a confidence of at least 95 %.
  it.each([
    [6, 1, 6],
    [8, 1, 8],
    [9, 2, 8],
    [12, 3, 10],
    [15, 4, 12],
    [20, 6, 15],
    [25, 8, 18],
  ])('of %i values lies between ranks %i and %i', (count, low, high) => {
    expect(medianInterval(upTo(count).reverse())).toEqual([low, high]);
  });

  it.each([0, 1, 5])('of %i values says nothing', (count) => {
    expect(medianInterval(upTo(count))).toBeNull();
  });
});

describe('the interval of a ratio', () => {
  it('leaves as many ratios outside as the table of Mann and Whitney allows', () => {
    // Its critical values of U, two-sided, 5 %: the interval's ranks are one more.
    const powers = (count: number, base: number): number[] => upTo(count).map((i) => base ** i);
    for (const [m, n, critical] of [
      [4, 4, 0],
      [5, 5, 2],
      [5, 8, 6],
      [10, 10, 23],
      [20, 20, 127],
    ] as const) {
      const [own, base] = [powers(m, 1.001), powers(n, 1.0317)];
      const ratios = own.flatMap((x) => base.map((y) => x / y)).sort((a, b) => a - b);
      expect(ratioInterval(own, base), `${m}, ${n}`).toEqual([
        ratios[critical],
        ratios[ratios.length - 1 - critical],
      ]);
    }
  });

  it.each([
    [3, 3],
    [2, 7],
    [0, 5],
  ])('of %i and %i values says nothing', (m, n) => {
    expect(ratioInterval(upTo(m), upTo(n))).toBeNull();
  });

  it('holds the true ratio about as often as it says, also where ranks are not counted', () => {
    const rng = createRng(7);
    for (const [count, draws] of [
      [8, 400],
      [60, 60],
    ] as const) {
      let held = 0;
      for (let draw = 0; draw < draws; draw++) {
        const sample = (scale: number): number[] => upTo(count).map(() => scale * (1 + rng.next()));
        const [low, high] = ratioInterval(sample(1.3), sample(1))!;
        if (low <= 1.3 && 1.3 <= high) held += 1;
      }
      expect(held / draws, `${count}`).toBeGreaterThan(0.9);
      expect(held / draws, `${count}`).toBeLessThanOrEqual(1);
    }
  });
});
