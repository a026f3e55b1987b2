import { describe, expect, it } from 'vitest';
import { graphFile, readGraphDocument } from '../../../../engine/exchange/graph-file.ts';
import { createProblem } from '../../../../engine/problem.ts';
import { solveRow } from '../../../../engine/strategies/solve.ts';
import { NO_CONTROL, type Problem } from '../../../../engine/strategies/strategy/strategy.ts';
import { strategyOf } from '../../../../engine/strategies/registry.ts';
import { buildModel } from '../../../../engine/zoo/zoo.ts';
import {
  type BarName,
  type Waterfall,
  waterfallOf,
} from '../../../../renderer/screens/learn/model/waterfall.ts';
import { randomProblems } from '../../../support/problems.ts';

const NAMES = ['regular', 'chen-sqrt', 'chen-greedy', 'optimal'];

function expectExact(problem: Problem, name: string): Waterfall | null {
  const plan = strategyOf(name).plan(problem, { seed: 0 }, NO_CONTROL);
  if (!plan.applicable || plan.paperCostBytes === null) return null;
  const row = solveRow(problem, name, { seed: 0 });
  const waterfall = waterfallOf(problem, plan);
  let sum = 0;
  for (const { bytes, from } of waterfall.bars) {
    expect(from).toBe(sum);
    sum += bytes;
  }
  expect(sum).toBe(row.peakBytes);
  expect(waterfall.peakBytes).toBe(row.peakBytes);
  expect(waterfall.bars[0]).toMatchObject({ name: 'theory', bytes: row.paperCostBytes });
  return waterfall;
}

describe('waterfall from Eq. 2 to the peak', () => {
  it.each([
    ['resnet50', 8],
    ['vgg16', 4],
    ['densenet121', 2],
    ['inceptionv3', 2],
    ['tiny-dropout', 16],
    ['unet', 1],
    ['gpt2', 1],
  ])('of %s adds up to the byte, also from the file that the page reads', (model, batch) => {
    const graph = buildModel(model, { batch });
    const problem = createProblem(graph, 'pytorch');
    const again = createProblem(readGraphDocument(JSON.parse(JSON.stringify(graphFile(graph)))), 'pytorch');
    for (const name of NAMES) {
      const waterfall = expectExact(problem, name);
      expect(expectExact(again, name)).toEqual(waterfall);
    }
  });

  it('adds up on random problems too', () => {
    for (const [, problem] of randomProblems(120, 5)) for (const name of NAMES) expectExact(problem, name);
  });

  it('says what each network adds', () => {
    const bars = (model: string, batch: number, name: string): Map<BarName, number> => {
      const problem = createProblem(buildModel(model, { batch }), 'pytorch');
      const waterfall = expectExact(problem, name);
      return new Map(waterfall?.bars.map((bar) => [bar.name, bar.bytes]));
    };
    const resnet = bars('resnet50', 8, 'optimal');
    expect(resnet.get('source')).toBe(8 * 3 * 224 * 224 * 4);
    expect(resnet.get('gradients')).toBeGreaterThan(0);
    expect(resnet.get('statistics')).toBeGreaterThan(0);
    expect(bars('vgg16', 4, 'optimal').get('checkpoints')).toBeLessThan(0);
    expect(bars('vgg16', 4, 'regular').get('indices')).toBeGreaterThan(0);
    expect(bars('tiny-dropout', 16, 'optimal').get('masks')).toBeGreaterThan(0);
    expect(bars('gpt2', 1, 'regular').get('sharing')).toBeLessThan(0);
  });

  it('names the operation that runs at the peak', () => {
    const problem = createProblem(buildModel('tiny-residual', { batch: 4 }), 'pytorch');
    const waterfall = expectExact(problem, 'optimal');
    expect(problem.graph.ids).toContain(waterfall?.instant.operation);
  });
});
