import { describe, expect, it } from 'vitest';
import { createProblem } from '../../../engine/problem.ts';
import { FORWARD } from '../../../engine/schedule/schedule.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { isExpensive } from '../../../engine/strategies/speed.ts';
import { buildModel, MODELS } from '../../../engine/zoo/zoo.ts';
import { bytesChain } from '../../support/problems.ts';

describe('speed', () => {
  it.each(MODELS.map(({ name }) => name))('%s: no convolution or matrix product runs twice', (name) => {
    for (const profile of ['pytorch', 'tfjs'] as const) {
      const problem = createProblem(buildModel(name, { batch: 1 }), profile);
      const { schedule, applicable } = solveRow(problem, 'speed', { seed: 0 });
      expect(applicable).toBe(true);
      const forwards = new Int32Array(problem.graph.size);
      schedule?.vertices.forEach((v, i) => {
        if (schedule.kinds[i] === FORWARD) forwards[v]!++;
      });
      expect(Math.max(...forwards)).toBeLessThanOrEqual(2);
      for (let v = 1; v < problem.graph.size; v++) {
        if (isExpensive(problem.graph, v)) expect(forwards[v], problem.graph.ids[v]).toBe(1);
      }
    }
  });

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
