import { describe, expect, it } from 'vitest';
import { totalParameters } from '../../../engine/graph/graph.ts';
import { createProblem } from '../../../engine/problem.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';

describe('the networks of the articles', () => {
  it('forty-layers is the DummyModel of article 004: 40 layers of 1024 features, 64 to begin with', () => {
    const graph = buildModel('forty-layers', { batch: 512 });
    expect(graph.size).toBe(1 + 2 + 40 * 2 + 1);
    expect(totalParameters(graph)).toBe(64 * 1024 + 1024 + 40 * (1024 * 1024 + 1024));
    expect(graph.shapes.at(-1)).toEqual([512, 1024]);
  });

  it.each([
    [20, 0.27e6],
    [32, 0.46e6],
    [44, 0.66e6],
    [56, 0.85e6],
    [110, 1.7e6],
    [1202, 19.4e6],
  ])('cifar-resnet-%i has the parameters of He et al. 2016, table 6 (%f)', (depth, parameters) => {
    const graph = buildModel(`cifar-resnet-${depth}`, { batch: 1 });
    // The two projections, which He et al. replace by padding, and one at the start come on top.
    const projections = 16 * 16 + 16 * 32 + 32 * 64;
    expect((totalParameters(graph) - projections) / parameters).toBeCloseTo(1, 1);
    expect(graph.operations.filter(({ kind }) => kind === 'conv2d')).toHaveLength(depth - 1 + 3);
    expect(createProblem(graph, 'pytorch').view.tensors.size).toBeGreaterThan(depth);
  });

  it('refuses a depth that is not 6n + 2', () => {
    expect(() => buildModel('cifar-resnet-50', { batch: 1 })).not.toThrow();
    expect(() => buildModel('cifar-resnet-51', { batch: 1 })).toThrow(
      'a CIFAR ResNet has 6n + 2 layers, from 8 to 2000, got "cifar-resnet-51"',
    );
  });
});
