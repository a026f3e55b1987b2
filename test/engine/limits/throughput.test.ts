import { describe, expect, it } from 'vitest';
import { batchReaching, samplesPerSecond, stepSeconds } from '../../../engine/limits/throughput.ts';

const speed = { flopsPerSecond: 1e12, secondsPerOperation: 1e-4 };
const regular = { operations: 100, flopsPerSample: 1e9 };
const recomputing = { operations: 130, flopsPerSample: 1.3e9 };

describe('predicted throughput', () => {
  it('adds a fixed time for each operation to the time of the work', () => {
    expect(stepSeconds(regular, speed, 10)).toBeCloseTo(0.01 + 0.01, 12);
    expect(samplesPerSecond(regular, speed, 10)).toBeCloseTo(500, 9);
  });

  it('finds the first batch that reaches a rate', () => {
    const rate = samplesPerSecond(regular, speed, 10);
    expect(batchReaching(regular, speed, rate)).toBe(10);
    const batch = batchReaching(recomputing, speed, rate) ?? 0;
    expect(samplesPerSecond(recomputing, speed, batch)).toBeGreaterThanOrEqual(rate);
    expect(samplesPerSecond(recomputing, speed, batch - 1)).toBeLessThan(rate);
  });

  it('knows rates that no batch reaches', () => {
    expect(batchReaching(recomputing, speed, samplesPerSecond(regular, speed, 10000))).toBeNull();
    expect(batchReaching(regular, speed, 0)).toBe(1);
  });
});
