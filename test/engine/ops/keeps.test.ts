import { describe, expect, it } from 'vitest';
import {
  ADD,
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
  SHIFT,
} from '../../../engine/ops/make.ts';
import type { Aliasing, Keeps, Profile, Shape } from '../../../engine/ops/definition.ts';
import type { Operation } from '../../../engine/ops/operation.ts';
import { KEEPS_NOTHING } from '../../../engine/ops/definition.ts';
import { definitionOf } from '../../../engine/ops/operation.ts';

const IMAGE = [2, 8, 4, 4];
const ELEMENTS = 256;

function keeps(op: Operation, profile: Profile, inputs: readonly Shape[]): Keeps {
  const definition = definitionOf(op);
  return definition.keeps(op, profile, inputs, definition.shape(op, inputs));
}

const input: Keeps = { ...KEEPS_NOTHING, inputs: [0] };
const both: Keeps = { ...KEEPS_NOTHING, inputs: [0, 1] };
const output: Keeps = { ...KEEPS_NOTHING, output: true };
const statistics: Keeps = { ...input, fixedAuxBytes: 2 * 4 * 8 };
const opaque: Operation = { kind: 'opaque', label: 'mystery' };

// The executors' facts; those of PyTorch are measured in zoo/torch-saved.test.ts.
const table: [string, Operation, Shape[], Keeps, Keeps][] = [
  ['conv2d: its input', conv2d(4, 3), [IMAGE], input, input],
  ['linear: its input', linear(4), [[2, 8]], input, input],
  ['batch norm: its input, two vectors per channel', batchNorm(), [IMAGE], statistics, statistics],
  ['relu: its output', RELU, [IMAGE], output, output],
  [
    'max pool: input and 8-byte indices; input and output',
    maxPool(2),
    [IMAGE],
    { ...input, auxBytes: (8 * ELEMENTS) / 4 },
    { ...KEEPS_NOTHING, inputs: [0], output: true },
  ],
  ['average pool: its input; nothing', avgPool(2), [IMAGE], input, KEEPS_NOTHING],
  ['adaptive average pool: its input; nothing', adaptiveAvgPool(2), [IMAGE], input, KEEPS_NOTHING],
  ['global average pool: its input; nothing', adaptiveAvgPool(1), [IMAGE], input, KEEPS_NOTHING],
  [
    'dropout: a byte per element; a seed',
    dropout(0.5),
    [IMAGE],
    { ...KEEPS_NOTHING, auxBytes: ELEMENTS },
    KEEPS_NOTHING,
  ],
  ['dropout at rate 0: nothing', dropout(0), [IMAGE], KEEPS_NOTHING, KEEPS_NOTHING],
  ['multiply: both inputs', MULTIPLY, [IMAGE, IMAGE], both, both],
  ['add: nothing', ADD, [IMAGE, IMAGE], KEEPS_NOTHING, KEEPS_NOTHING],
  ['concat: nothing', CONCAT, [IMAGE, IMAGE], KEEPS_NOTHING, KEEPS_NOTHING],
  ['flatten: nothing', FLATTEN, [IMAGE], KEEPS_NOTHING, KEEPS_NOTHING],
  ['identity: nothing', IDENTITY, [IMAGE], KEEPS_NOTHING, KEEPS_NOTHING],
  ['shift: nothing', SHIFT, [IMAGE], KEEPS_NOTHING, KEEPS_NOTHING],
  [
    'opaque: output and every input',
    opaque,
    [IMAGE, [], IMAGE],
    { ...KEEPS_NOTHING, inputs: [0, 1, 2], output: true },
    { ...KEEPS_NOTHING, inputs: [0, 1, 2], output: true },
  ],
];

it.each(table)('what backward keeps (pytorch; tfjs) %s', (_name, op, inputs, pytorch, tfjs) => {
  expect(keeps(op, 'pytorch', inputs)).toEqual(pytorch);
  expect(keeps(op, 'tfjs', inputs)).toEqual(tfjs);
});

describe('aliasing (pytorch; tfjs)', () => {
  it.each<[string, Operation, Aliasing, Aliasing]>([
    ['flatten', FLATTEN, 'view', 'view'],
    ['identity', IDENTITY, 'view', 'view'],
    ['dropout at rate 0', dropout(0), 'view', 'view'],
    ['dropout', dropout(0.1), 'none', 'none'],
    ['shift: a slice is a view in PyTorch, a copy in TensorFlow.js', SHIFT, 'view', 'none'],
    ['conv2d', conv2d(1, 1), 'none', 'none'],
    ['opaque', opaque, 'none', 'none'],
  ])('%s', (_name, op, pytorch, tfjs) => {
    expect(definitionOf(op).aliasing(op, 'pytorch')).toBe(pytorch);
    expect(definitionOf(op).aliasing(op, 'tfjs')).toBe(tfjs);
  });

  it('[E1] makes a slice a tensor of its own in PyTorch 1.5, whose convolution saves the copy that it makes of it', () => {
    expect(definitionOf(SHIFT).aliasing(SHIFT, 'pytorch-1.5')).toBe('none');
  });
});
