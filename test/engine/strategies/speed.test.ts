import { describe, expect, it } from 'vitest';
import { createProblem } from '../../../engine/problem.ts';
import { drawn } from '../../support/schedule-text.ts';
import { GraphBuilder } from '../../../engine/graph/builder.ts';
import { batchNorm, conv2d, FLATTEN, linear, maxPool, RELU, RELU_INPLACE } from '../../../engine/ops/make.ts';
import { isExpensive, speed } from '../../../engine/strategies/speed.ts';
import { solveRow } from '../../../engine/strategies/solve.ts';
import { buildModel } from '../../../engine/zoo/zoo.ts';
import { bytesChain } from '../../support/problems.ts';
import { planOf } from '../../support/plans.ts';

describe('speed', () => {
  it('saves what batch norms and activations hold, for a hundredth of the time', () => {
    const problem = createProblem(buildModel('cifar-resnet-32', { batch: 4 }), 'pytorch');
    const row = solveRow(problem, 'speed', { seed: 0 });
    const regular = solveRow(problem, 'regular', { seed: 0 });
    expect((row.peakBytes ?? 0) / (regular.peakBytes ?? 1)).toBeLessThan(0.6);
    expect(row.predictedOverhead).toBeLessThan(0.01);
  });

  it('keeps convolutions and matrix products, and what overwrites them in their place', () => {
    const b = new GraphBuilder('small');
    b.input('x', [1, 2, 4, 4]);
    const conv = conv2d(2, 3, { padding: 1 });
    b.add('relu of conv', RELU_INPLACE, [b.add('conv', conv, ['x'])], 'join');
    b.add('norm', batchNorm(), [b.add('second', conv, ['relu of conv'])]);
    b.add('relu', RELU, ['norm']);
    b.add('scores', linear(3), [b.add('flat', FLATTEN, ['relu'], 'join')]);
    const problem = createProblem(b.build(), 'pytorch');
    const plan = planOf(speed, problem);
    expect(plan.checkpoints.map((v) => problem.graph.ids[v])).toEqual(['relu of conv', 'second', 'scores']);
    // norm, relu and its view are recomputed for the last layer, whose own output nobody reads.
    const forwards = drawn(plan.schedule, 'FB');
    expect(forwards).toBe('F1 F2 F3 F4 F5 F6 F7 F4 F5 F6 B7 B6 B5 B4 B3 B2 B1');
    expect(plan.paperCostBytes).toBeNull();
  });

  it('knows a convolution or a matrix product by its kind, or by its label where it has no kind', () => {
    const graph = (labels: string[]) => {
      const b = new GraphBuilder('labels');
      for (const [v, label] of labels.entries()) {
        b.addGiven(`v${v}`, { kind: 'opaque', label }, v === 0 ? [] : [v - 1], 'own', { bytes: 1, flops: 0 });
      }
      return b.build();
    };
    const labelled = graph([
      'input',
      'Conv',
      'Relu',
      'MatMul',
      'my_linear_layer',
      'aten::addmm',
      'Softmax',
      'Gemm',
    ]);
    const found = labelled.ids.filter((_, v) => isExpensive(labelled, v));
    expect(found).toEqual(['v1', 'v3', 'v4', 'v5', 'v7']);
    const b = new GraphBuilder('kinds');
    b.input('x', [1, 2, 4, 4]);
    b.add('conv', conv2d(2, 3, { padding: 1 }), ['x']);
    b.add('pool', maxPool(2), ['conv']);
    b.add('scores', linear(3), [b.add('flat', FLATTEN, ['pool'], 'join')]);
    const kinds = b.build();
    expect(kinds.ids.filter((_, v) => isExpensive(kinds, v))).toEqual(['conv', 'scores']);
  });

  it('says why where nothing tells a convolution from the rest', () => {
    const row = solveRow(createProblem(bytesChain([1, 2, 3]), 'pytorch'), 'speed', { seed: 0 });
    expect(row.reason).toBe('the graph has no convolution and no matrix product');
  });
});
