import { describe, expect, it } from 'vitest';
import { createProblem } from '../../../engine/problem.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { bytesChain } from '../../support/problems.ts';

describe('speed', () => {
  it('saves what batch norms and activations hold, for a hundredth of the time', () => {
    const problem = createProblem(buildModel('cifar-resnet-32', { batch: 4 }), 'pytorch');
    const row = solveRow(problem, 'speed', { seed: 0 });
    const regular = solveRow(problem, 'regular', { seed: 0 });
    expect((row.peakBytes ?? 0) / (regular.peakBytes ?? 1)).toBeLessThan(0.6);
    expect(row.predictedOverhead).toBeLessThan(0.01);
  });

  it('says why where nothing tells a convolution from the rest', () => {
    const row = solveRow(createProblem(bytesChain([1, 2, 3]), 'pytorch'), 'speed', { seed: 0 });
    expect(row.reason).toBe('the graph names no convolution and no matrix product');
  });
});
