import { expect, it } from 'vitest';
import { batchWithin, peakAt, peakLines } from '../../../engine/limits/peak-lines.ts';
import { createProblem } from '../../../engine/problem.ts';
import { simulate } from '../../../engine/simulate/simulate.ts';
import { strategyOf } from '../../../engine/strategies/registry.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { planOf } from '../../support/plans.ts';

const problemAt = (batch: number) => createProblem(buildModel('resnet18', { batch, input: 64 }), 'pytorch');

it.each(['regular', 'optimal', 'live'])('peakLines gives the peak of %s at every batch', (strategy) => {
  const plan = planOf(strategyOf(strategy), problemAt(1));
  const timeline = (batch: number) => {
    const { graph, memory } = problemAt(batch);
    return simulate(graph, memory, plan.schedule);
  };
  const lines = peakLines(timeline(1), timeline(2));
  expect(lines.length).toBeLessThan(20);
  for (const batch of [1, 2, 3, 17, 256]) expect(peakAt(lines, batch)).toBe(timeline(batch).peakBytes);
  const slopes = lines.map(({ perSample }) => perSample);
  expect(slopes).toEqual([...slopes].sort((a, b) => a - b));
  for (const batch of [1, 9, 100]) {
    expect(batchWithin(lines, peakAt(lines, batch), 1000)).toBe(batch);
    expect(batchWithin(lines, peakAt(lines, batch) - 1, 1000)).toBe(batch - 1);
  }
});
