import { describe, expect, it } from 'vitest';
import {
  correctedMomentum,
  maskPair,
  MOMENTUM,
  statisticsRun,
} from '../../../../renderer/screens/learn/model/mistakes.ts';

describe('classic mistakes', () => {
  it('counts every batch twice, and is cured by the corrected momentum', () => {
    const { batches, careful, naive, corrected } = statisticsRun(60, MOMENTUM);
    expect(careful[0]).toBeCloseTo(MOMENTUM * batches[0]!, 12);
    expect(naive[0]).toBeCloseTo((1 - (1 - MOMENTUM) ** 2) * batches[0]!, 12);
    corrected.forEach((mean, i) => {
      expect(mean).toBeCloseTo(careful[i]!, 12);
    });
    expect(naive.some((mean, i) => Math.abs(mean - careful[i]!) > 0.02)).toBe(true);
    expect(correctedMomentum(0.19)).toBeCloseTo(0.1, 12);
  });

  it('gives the same mask only from the same seed', () => {
    expect(maskPair(64, 0.5, 3, true)).toMatchObject({ different: 0 });
    const naive = maskPair(64, 0.5, 3, false);
    expect(naive.different).toBeGreaterThan(10);
    expect(naive.first).toEqual(maskPair(64, 0.5, 3, true).first);
    expect(maskPair(64, 0, 3, false)).toMatchObject({ different: 0 });
  });
});
