import { describe, expect, it } from 'vitest';
import { BadInputError, InternalError } from '../../../engine/errors.ts';
import {
  ADD,
  ADD_INPLACE,
  adaptiveAvgPool,
  avgPool,
  batchNorm,
  CONCAT,
  conv2d,
  dropout,
  FLATTEN,
  IDENTITY,
  linear,
  MULTIPLY,
  maxPool,
  RELU,
  RELU_INPLACE,
  SHIFT,
} from '../../../engine/ops/make.ts';
import type { Shape } from '../../../engine/ops/definition.ts';
import type { Operation } from '../../../engine/ops/operation.ts';
import { definitionOf, OPERATION_KINDS, parametersOf } from '../../../engine/ops/operation.ts';

function shape(op: Operation, ...inputs: Shape[]): Shape {
  return definitionOf(op).shape(op, inputs);
}

const IMAGE = [2, 8, 9, 9];

describe('shapes', () => {
  it.each<[string, Operation, Shape[], Shape]>([
    ['conv', conv2d(16, 3), [IMAGE], [2, 16, 7, 7]],
    ['padded conv', conv2d(16, 3, { padding: 1 }), [IMAGE], [2, 16, 9, 9]],
    ['strided conv', conv2d(16, 3, { padding: 1, stride: 2 }), [IMAGE], [2, 16, 5, 5]],
    ['dilated conv', conv2d(16, 3, { dilation: 2 }), [IMAGE], [2, 16, 5, 5]],
    ['1x7 conv', conv2d(4, [1, 7], { padding: [0, 3] }), [[1, 3, 5, 8]], [1, 4, 5, 8]],
    ['pool', maxPool(2), [IMAGE], [2, 8, 4, 4]],
    ['pool, ceil mode', maxPool(2, { ceilMode: true }), [IMAGE], [2, 8, 5, 5]],
    // PyTorch: a last window may not start in the padding.
    ['pool, ceil mode, padded', maxPool(2, { ceilMode: true, padding: 1 }), [[1, 1, 3, 3]], [1, 1, 2, 2]],
    ['average pool', avgPool(3, { stride: 1, padding: 1 }), [IMAGE], [2, 8, 9, 9]],
    ['global pool', adaptiveAvgPool(1), [IMAGE], [2, 8, 1, 1]],
    ['adaptive pool that enlarges', adaptiveAvgPool(12), [IMAGE], [2, 8, 12, 12]],
    ['batch norm', batchNorm(), [IMAGE], IMAGE],
    ['batch norm on features', batchNorm(), [[2, 8]], [2, 8]],
    ['relu', RELU, [[5]], [5]],
    ['add', ADD, [IMAGE, IMAGE, IMAGE], IMAGE],
    ['multiply', MULTIPLY, [IMAGE, IMAGE], IMAGE],
    ['concat', CONCAT, [IMAGE, [2, 3, 9, 9]], [2, 11, 9, 9]],
    ['concat of one', CONCAT, [IMAGE], IMAGE],
    ['flatten', FLATTEN, [IMAGE], [2, 648]],
    ['linear', linear(10), [[2, 648]], [2, 10]],
    ['dropout', dropout(0.5), [IMAGE], IMAGE],
    ['identity', IDENTITY, [IMAGE], IMAGE],
    ['shift', SHIFT, [IMAGE], [2, 8, 8, 8]],
  ])('%s', (_name, op, inputs, output) => {
    expect(shape(op, ...inputs)).toEqual(output);
  });

  it.each<[Operation, Shape[], string]>([
    [conv2d(8, 3), [[2, 8]], 'conv2d expects an input [N, C, H, W], got [2, 8]'],
    [conv2d(8, 11), [IMAGE], 'conv2d with a 11x11 window does not fit an image of 9x9'],
    [
      conv2d(9, 3, { groups: 2 }),
      [IMAGE],
      'cannot split the channels of [2, 8, 9, 9] and 9 output channels into 2',
    ],
    [conv2d(8, 3, { stride: 0 }), [IMAGE], 'conv2d expects kernel, stride and dilation of at least 1, got 0'],
    [conv2d(8, 3, { padding: -1 }), [IMAGE], 'conv2d expects a non-negative integer as padding, got -1'],
    [maxPool(10), [IMAGE], 'max-pool with a 10x10 window does not fit an image of 9x9'],
    [adaptiveAvgPool(0), [IMAGE], 'adaptive-avg-pool expects an output of at least 1x1, got 0x0'],
    [batchNorm(), [[2, 3, 4]], 'batch-norm expects an input [N, C] or [N, C, H, W], got [2, 3, 4]'],
    [ADD, [IMAGE], 'add expects at least 2 inputs, got 1'],
    [ADD, [IMAGE, [2, 8, 9, 8]], 'add expects inputs of one shape, got [2, 8, 9, 9] and [2, 8, 9, 8]'],
    [MULTIPLY, [IMAGE, [2, 8]], 'multiply expects inputs of one shape, got [2, 8, 9, 9] and [2, 8]'],
    [CONCAT, [IMAGE, [3, 8, 9, 9]], 'differ in their channels only, got [2, 8, 9, 9] and [3, 8, 9, 9]'],
    [linear(10), [IMAGE], 'linear expects an input [N, features] or [N, L, features], got [2, 8, 9, 9]'],
    [linear(0), [[2, 8]], 'linear expects at least 1 output feature, got 0'],
    [dropout(1), [IMAGE], 'dropout expects a rate in [0, 1), got 1'],
    [SHIFT, [[1, 1, 1, 5]], 'shift expects an image of at least 2x2, got [1, 1, 1, 5]'],
  ])('$0.kind refuses: $2', (op, inputs, message) => {
    expect(() => shape(op, ...inputs)).toThrow(BadInputError);
    expect(() => shape(op, ...inputs)).toThrow(message);
  });

  it('does not infer the shape of an input', () => {
    expect(() => shape({ kind: 'input' })).toThrow(InternalError);
  });
});

describe('work and parameters', () => {
  const figures = (op: Operation, ...inputs: Shape[]) => {
    const definition = definitionOf(op);
    const output = definition.shape(op, inputs);
    return {
      forward: definition.flops(op, inputs, output),
      backward: definition.backwardFlops(op, inputs, output, true),
      first: definition.backwardFlops(op, inputs, output, false),
      parameters: parametersOf(op, inputs),
    };
  };

  it('counts 2 for a multiply-add; backward of a convolution is twice the forward, once on the source', () => {
    const forward = 2 * 9 * 8 * 16 * 7 * 7 * 2;
    expect(figures(conv2d(16, 3, { bias: false }), IMAGE)).toEqual({
      forward,
      backward: 2 * forward,
      first: forward,
      parameters: 9 * 8 * 16,
    });
  });

  it('counts a bias once per output element', () => {
    const out = 16 * 7 * 7 * 2;
    expect(figures(conv2d(16, 3), IMAGE)).toEqual({
      forward: 2 * 9 * 8 * out + out,
      backward: 4 * 9 * 8 * out + out,
      first: 2 * 9 * 8 * out + out,
      parameters: 9 * 8 * 16 + 16,
    });
  });

  it('divides a grouped convolution by its groups', () => {
    expect(figures(conv2d(8, 3, { groups: 8, bias: false }), IMAGE)).toMatchObject({
      forward: 2 * 9 * 8 * 7 * 7 * 2,
      parameters: 9 * 8,
    });
  });

  it('does the same for linear layers', () => {
    expect(figures(linear(10), [4, 100])).toEqual({
      forward: 2 * 4 * 1000 + 40,
      backward: 4 * 4 * 1000 + 40,
      first: 2 * 4 * 1000 + 40,
      parameters: 1010,
    });
  });

  it.each<[string, Operation, Shape[], number, number]>([
    ['relu', RELU, [[10]], 10, 10],
    ['add of three', ADD, [[10], [10], [10]], 20, 0],
    ['multiply', MULTIPLY, [[10], [10]], 10, 20],
    ['batch norm', batchNorm(), [[5, 2]], 80, 100],
    ['max pool', maxPool(2), [[1, 1, 4, 4]], 16, 4],
    ['average pool', avgPool(2), [[1, 1, 4, 4]], 16, 16],
    ['global pool', adaptiveAvgPool(1), [[1, 2, 4, 4]], 32, 32],
    ['dropout', dropout(0.5), [[10]], 20, 20],
    ['dropout at rate 0', dropout(0), [[10]], 0, 0],
    [
      'concat',
      CONCAT,
      [
        [1, 2],
        [1, 3],
      ],
      0,
      0,
    ],
    ['flatten', FLATTEN, [[1, 2, 3]], 0, 0],
  ])('%s', (_name, op, inputs, forward, backward) => {
    expect(figures(op, ...inputs)).toMatchObject({ forward, backward });
  });

  it('trains scale and shift of a batch norm', () => {
    expect(figures(batchNorm(), IMAGE).parameters).toBe(16);
  });
});

describe('registry', () => {
  it('knows every kind of operation', () => {
    expect([...OPERATION_KINDS].sort()).toEqual(
      [
        ...['adaptive-avg-pool', 'add', 'avg-pool', 'batch-norm', 'concat', 'conv2d', 'dropout', 'flatten'],
        ...['identity', 'input', 'linear', 'max-pool', 'multiply', 'opaque', 'relu', 'shift', 'sigmoid'],
        ...[
          'tokens',
          'embedding',
          'position-embedding',
          'segment-embedding',
          'tied-linear',
          'layer-norm',
          'group-norm',
        ],
        ...['gelu', 'tanh', 'relu6', 'conv-transpose2d', 'patches', 'class-token', 'first', 'split'],
        ...['split-heads', 'merge-heads', 'attention-scores', 'scale', 'causal-mask', 'softmax'],
        ...['attention-values', 'attention'],
      ].sort(),
    );
  });

  it('makes in-place operations of the pytorch profile only', () => {
    for (const op of [RELU_INPLACE, ADD_INPLACE]) {
      expect(definitionOf(op).aliasing(op, 'pytorch')).toBe('inplace');
      expect(definitionOf(op).aliasing(op, 'tfjs')).toBe('none');
    }
    for (const op of [RELU, ADD]) expect(definitionOf(op).aliasing(op, 'pytorch')).toBe('none');
  });
});
