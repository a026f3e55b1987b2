import { describe, expect, it } from 'vitest';
import { largestBatch, type LimitsRequest } from '../../../engine/limits/largest-batch.ts';
import { createProblem } from '../../../engine/problem.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';

const request: LimitsRequest = { model: 'resnet18', input: 64, profile: 'pytorch', memoryBytes: 2 ** 30 };
const seed = { seed: 0 };

/** Peak of a strategy at a batch, stationary bytes included, the slow way. */
function needs(strategy: string, batch: number, stationary: number): number {
  const problem = createProblem(buildModel('resnet18', { batch, input: 64 }), 'pytorch');
  return (solveRow(problem, strategy, seed).peakBytes ?? 0) + stationary;
}

describe('largestBatch', () => {
  it.each(['regular', 'optimal', 'chen-greedy'])('is the last batch that fits under %s', (strategy) => {
    const limit = largestBatch(request, strategy, seed);
    expect(limit.batch).toBeGreaterThan(1);
    expect(needs(strategy, limit.batch, limit.stationaryBytes)).toBeLessThanOrEqual(request.memoryBytes);
    expect(needs(strategy, limit.batch + 1, limit.stationaryBytes)).toBeGreaterThan(request.memoryBytes);
    expect(limit.peakBytes).toBe(needs(strategy, limit.batch, 0));
  });

  it('says what a batch of one needs where not even that fits', () => {
    const limit = largestBatch({ ...request, memoryBytes: 2 ** 20 }, 'regular', seed);
    expect(limit.batch).toBe(0);
    expect(limit.leastBytes).toBe(needs('regular', 1, limit.stationaryBytes));
  });

  it('stops at the largest batch that can be asked for', () => {
    const limit = largestBatch({ ...request, memoryBytes: 2 ** 50 }, 'regular', seed);
    expect(limit).toMatchObject({ batch: 65536, capped: true });
  });

  it('gives the reason of a strategy that does not apply', () => {
    const limit = largestBatch(request, 'linear-optimal', seed);
    expect(limit.applicable).toBe(false);
    expect(limit.reason).toMatch(/not linear/);
  });
});
