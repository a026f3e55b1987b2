import { describe, expect, it } from 'vitest';
import { growthOf } from '../../../../renderer/screens/learn/model/growth.ts';
import { everyKth, playedBy, playWithSegments } from '../../../../renderer/screens/learn/model/plays.ts';
import { peakParts, segmentCurve } from '../../../../renderer/screens/learn/model/segment-length.ts';
import { chainPlay } from '../../../../renderer/screens/learn/model/plays.ts';

describe('memory against the length of a segment', () => {
  it.each([9, 16, 25, 36, 49, 64])('has its least peak at √N, give or take one, for N = %i', (layers) => {
    const { points, best, least } = segmentCurve(layers);
    expect(points.map(({ k }) => k)).toEqual(Array.from({ length: layers }, (_, i) => i + 1));
    for (const { k, peak } of points) {
      expect(peak).toBe(playWithSegments(layers, k).timeline.peakBytes);
      expect(best.peak).toBeLessThanOrEqual(peak);
    }
    // Beside √N checkpoints and √N tensors of a segment only the input, the output and two gradients.
    const root = Math.sqrt(layers);
    expect(Math.abs(best.k - root)).toBeLessThanOrEqual(1);
    expect(least).toContain(best);
    expect(least.every(({ peak }) => peak === best.peak)).toBe(true);
    expect(best.peak).toBeLessThanOrEqual(2 * Math.ceil(root) + 4);
  });

  it('follows k + N/k: Eq. 1 is at most two tensors below it, the simulated peak at most three above', () => {
    for (const { k, formula, paperCost, peak, checkpoints } of segmentCurve(36).points) {
      expect(paperCost).toBe(checkpoints + k - 1);
      expect(paperCost).toBeGreaterThanOrEqual(formula - 2);
      expect(paperCost).toBeLessThan(formula);
      expect(Math.abs(peak - formula)).toBeLessThanOrEqual(3);
    }
  });

  it("has the paper's 20 % of N = 100 at k = 10, the least of k + N/k", () => {
    const { points } = segmentCurve(100);
    const formulas = points.map(({ formula }) => formula);
    expect(formulas[9]).toBe(20);
    expect(Math.min(...formulas)).toBe(20);
  });

  it("takes article 002's 7, 4 and 5 units on five convolutions", () => {
    const units = ['regular', 'memory-poor', 'chen-sqrt'].map((name) => {
      const play = playedBy('convolutions', 0, name);
      return typeof play === 'string' ? play : play.timeline.peakBytes;
    });
    expect(units).toEqual([7, 4, 5]);
  });

  it('grows again with segments longer than the best', () => {
    const { points, best } = segmentCurve(36);
    const after = points.filter(({ k }) => k > best.k + 6);
    after.forEach(({ peak }, i) => {
      expect(peak).toBeGreaterThanOrEqual(after[i - 1]?.peak ?? 0);
    });
    expect(points.at(-1)?.peak).toBeGreaterThanOrEqual(2 * best.peak);
  });

  it.each([7, 16, 36])('splits the peak into terms without a rest, N = %i', (layers) => {
    for (const { k, checkpoints, peak } of segmentCurve(layers).points) {
      const parts = peakParts(layers, k);
      expect(parts.input + parts.checkpoints + parts.segment + parts.gradients).toBe(peak);
      expect(parts.checkpoints).toBeLessThanOrEqual(checkpoints);
    }
  });

  it('still holds every checkpoint when the last segment is recomputed', () => {
    expect(peakParts(36, 6)).toEqual({ input: 1, checkpoints: 5, segment: 6, gradients: 2 });
  });

  it('computes everything at most twice, with any segments', () => {
    for (const k of [1, 3, 6, 36]) {
      const counts = playWithSegments(36, k).frames.at(-1)?.forwards ?? [];
      expect(Math.max(...counts)).toBeLessThanOrEqual(2);
    }
    expect(everyKth(9, 3)).toEqual([3, 6]);
    expect(everyKth(10, 3)).toEqual([3, 6, 9]);
    expect(everyKth(9, 9)).toEqual([]);
  });
});

it('growth with the number of layers is linear in memory for regular, constant in memory and quadratic in work for memory-poor', () => {
  const regular = growthOf('regular', 24);
  const poor = growthOf('memory-poor', 24);
  regular.forEach(({ layers, peak, forwards }) => {
    expect(peak).toBe(layers + 3);
    expect(forwards).toBe(layers);
  });
  const [, , ...long] = poor;
  expect(new Set(long.map(({ peak }) => peak)).size).toBe(1);
  for (const { layers, forwards } of poor) {
    // The last layer's output is needed too: 1 + 2 + … + N forwards after the first N.
    expect(forwards).toBe(layers + (layers * (layers + 1)) / 2);
    expect(forwards - layers).toBe(chainPlay(layers, 'memory-poor').recomputes);
  }
});
