import {
  ADD,
  adaptiveAvgPool,
  attention,
  avgPool,
  batchNorm,
  CONCAT,
  conv2d,
  convTranspose2d,
  dropout,
  embedding,
  FLATTEN,
  GELU,
  GELU_TANH,
  IDENTITY,
  groupNorm,
  layerNorm,
  linear,
  MULTIPLY,
  maxPool,
  RELU,
  SHIFT,
  SOFTMAX,
  SIGMOID,
  TANH,
} from '../../../engine/ops/make.ts';
import type { Shape } from '../../../engine/ops/definition.ts';
import type { Operation } from '../../../engine/ops/operation.ts';
import type { Layout } from '../../../main/trainer/layout.ts';

export interface KernelCase {
  readonly name: string;
  readonly op: Operation;
  readonly inputs: readonly Shape[];
  /** How the executor holds inputs and output; as images where not given. */
  readonly layouts?: { readonly inputs: readonly Layout[]; readonly output: Layout };
}

const image: Shape = [2, 4, 9, 7];

const sequence: Shape = [2, 5, 12];
const heads: Shape = [2, 3, 5, 4];
const pairs: Shape = [2, 3, 5, 5];

/** Inputs [N, heads, L, each], as the executor holds them. */
function ofHeads(name: string, op: Operation, count: number, output: Layout = 'heads'): KernelCase {
  const inputs = Array.from({ length: count }, () => heads);
  return { name, op, inputs, layouts: { inputs: inputs.map(() => 'heads'), output } };
}

function ofPairs(name: string, op: Operation): KernelCase {
  return { name, op, inputs: [pairs], layouts: { inputs: ['plain'], output: 'plain' } };
}

function one(name: string, op: Operation, input: Shape = image): KernelCase {
  return { name, op, inputs: [input] };
}

/** At least one case for every branch of every kernel; extents differ so that axes cannot be mixed up. */
export const KERNEL_CASES: readonly KernelCase[] = [
  one('conv 3x3', conv2d(5, 3, { padding: 1 })),
  one('conv 3x3 without padding or bias', conv2d(5, 3, { bias: false })),
  one('conv 1x1', conv2d(6, 1)),
  one('conv 1x1, stride 2', conv2d(6, 1, { stride: 2, bias: false })),
  one('conv 3x3, stride 2', conv2d(5, 3, { stride: 2, padding: 1, bias: false })),
  one('conv 7x7, stride 2', conv2d(3, 7, { stride: 2, padding: 3, bias: false }), [2, 3, 16, 15]),
  one('conv 3x3, stride 3, rest at the edge', conv2d(3, 3, { stride: 3 }), [2, 3, 11, 10]),
  one('conv 5x2, stride 4x1', conv2d(3, [5, 2], { stride: [4, 1], padding: [2, 0] }), [1, 3, 14, 9]),
  one('conv 2x2, stride 3: places that no tap reaches', conv2d(3, 2, { stride: 3 }), [2, 3, 10, 11]),
  one('conv 1x7', conv2d(4, [1, 7], { padding: [0, 3] })),
  one('conv 3x3, dilation 2', conv2d(4, 3, { padding: 2, dilation: 2, bias: false })),
  one('conv 3x3, dilation 2, stride 2', conv2d(4, 3, { padding: 2, dilation: 2, stride: 2 })),
  one(
    'conv 3x3, dilation 3x2, stride 2x3',
    conv2d(4, 3, { padding: 3, dilation: [3, 2], stride: [2, 3] }),
    [2, 3, 13, 12],
  ),
  one('conv with much padding', conv2d(2, 3, { padding: 4 }), [1, 2, 4, 5]),
  one('conv with asymmetric padding', { ...conv2d(3, 3, { stride: 2 }), padding: [0, 1, 2, 1] }),
  one('conv of two groups', conv2d(6, 3, { padding: 1, groups: 2 })),
  one('depthwise 3x3', conv2d(4, 3, { padding: 1, groups: 4, bias: false })),
  one('depthwise 5x5, stride 2', conv2d(4, 5, { padding: 2, stride: 2, groups: 4 })),
  one('depthwise 3x3, dilation 2', conv2d(4, 3, { padding: 2, dilation: 2, groups: 4, bias: false })),
  one('depthwise 7x7, stride 2', conv2d(4, 7, { padding: 3, stride: 2, groups: 4, bias: false })),
  one('depthwise with two outputs a channel', conv2d(8, 3, { padding: 1, groups: 4 })),
  one('depthwise 3x3 to one place', conv2d(4, 3, { groups: 4, bias: false }), [1, 4, 3, 3]),
  one('max pool 2x2', maxPool(2)),
  one('max pool 3x3, stride 2, padded', maxPool(3, { stride: 2, padding: 1 })),
  one('max pool 3x3, stride 2, ceil', maxPool(3, { stride: 2, ceilMode: true }), [2, 3, 8, 9]),
  one('average pool 2x2', avgPool(2)),
  one('average pool 3x3, stride 1, padded', avgPool(3, { stride: 1, padding: 1 })),
  one('average pool, padding not counted', avgPool(3, { stride: 2, padding: 1, countIncludePad: false })),
  one('average pool, ceil', avgPool(3, { stride: 2, padding: 1, ceilMode: true }), [2, 3, 8, 10]),
  one('average pool 1x1, stride 2', avgPool(1, { stride: 2 })),
  one('adaptive average pool to 1x1', adaptiveAvgPool(1)),
  one('adaptive average pool to a divisor', adaptiveAvgPool([3, 7])),
  one('adaptive average pool to its own size', adaptiveAvgPool([9, 7])),
  one('adaptive average pool, uneven', adaptiveAvgPool([4, 3])),
  one('adaptive average pool that repeats', adaptiveAvgPool(3), [2, 3, 1, 2]),
  one('batch norm', batchNorm()),
  one('batch norm of vectors', batchNorm(), [6, 5]),
  one('relu', RELU),
  one('linear', linear(5), [3, 7]),
  one('linear of one sample', linear(4), [1, 6]),
  one('flatten', FLATTEN),
  one('identity', IDENTITY),
  one('shift', SHIFT),
  one('dropout', dropout(0.3)),
  one('dropout at rate 0', dropout(0)),
  { name: 'add', op: ADD, inputs: [image, image, image] },
  { name: 'multiply', op: MULTIPLY, inputs: [image, image] },
  {
    name: 'concat',
    op: CONCAT,
    inputs: [
      [2, 3, 4, 5],
      [2, 1, 4, 5],
      [2, 60, 4, 5],
    ],
  },
  {
    name: 'concat of vectors',
    op: CONCAT,
    inputs: [
      [2, 3],
      [2, 4],
    ],
  },
  one('linear of sequences', linear(5), sequence),
  one('linear of sequences without bias', linear(7, false), [3, 4, 6]),
  one('tied linear', { kind: 'tied-linear', table: 'wte', outFeatures: 9 }, sequence),
  one('embedding', embedding(11, 6), [3, 7]),
  one('embedding of more tokens than one block', embedding(5, 2), [6, 200]),
  one('position embedding', { kind: 'position-embedding', count: 8 }, sequence),
  one('position embedding of one sequence', { kind: 'position-embedding', count: 5 }, [1, 5, 3]),
  one('segment embedding', { kind: 'segment-embedding', count: 2 }, sequence),
  one('class token', { kind: 'class-token' }, sequence),
  one('layer norm', layerNorm(), sequence),
  one('group norm', groupNorm(2), [2, 6, 3, 4]),
  one('group norm of single channels', groupNorm(3, 1e-3), [3, 3, 2, 5]),
  one('layer norm of vectors', layerNorm(1e-3), [6, 5]),
  one('GELU', GELU, sequence),
  one('GELU by tanh', GELU_TANH, sequence),
  one('tanh', TANH, [3, 7]),
  one('sigmoid', SIGMOID, [3, 7]),
  one('relu6', { kind: 'relu6', inplace: false }),
  one('transposed conv 2x2, stride 2', convTranspose2d(5, 2, 2)),
  one('transposed conv 3x2, stride 2x1', convTranspose2d(3, [3, 2], [2, 1]), [2, 4, 5, 6]),
  one('transposed conv 2x2, stride 3: places that no input reaches', convTranspose2d(2, 2, 3), [1, 3, 4, 5]),
  one('patches', { kind: 'patches' }),
  one('first place', { kind: 'first' }, sequence),
  one('first third', { kind: 'split', parts: 3, part: 0 }, sequence),
  one('last third', { kind: 'split', parts: 3, part: 2 }, sequence),
  {
    name: 'split into heads',
    op: { kind: 'split-heads', heads: 3 },
    inputs: [sequence],
    layouts: { inputs: ['image'], output: 'heads' },
  },
  ofHeads('merge heads', { kind: 'merge-heads', copies: true }, 1, 'image'),
  ofHeads('attention scores', { kind: 'attention-scores' }, 2, 'plain'),
  ofPairs('scale', { kind: 'scale', divisor: 8 }),
  ofPairs('causal mask', { kind: 'causal-mask' }),
  ofPairs('softmax', SOFTMAX),
  {
    name: 'attention values',
    op: { kind: 'attention-values' },
    inputs: [pairs, heads],
    layouts: { inputs: ['plain', 'heads'], output: 'heads' },
  },
  {
    ...ofHeads('attention scores of a longer sequence', { kind: 'attention-scores' }, 2, 'plain'),
    inputs: [40, 27].map((length) => [2, 3, length, 12]),
  },
  {
    name: 'attention values of a longer sequence',
    op: { kind: 'attention-values' },
    inputs: [
      [2, 3, 40, 27],
      [2, 3, 27, 12],
    ],
    layouts: { inputs: ['plain', 'heads'], output: 'heads' },
  },
  ofHeads('fused attention', attention(false), 3),
  ofHeads('fused causal attention with dropout', attention(true, 0.3), 3),
  {
    ...ofHeads('fused attention in several blocks', attention(true, 0.1), 3),
    inputs: [1, 2, 3].map(() => [3, 4, 300, 2]),
  },
];
