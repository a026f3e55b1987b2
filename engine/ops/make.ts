import type { AdaptiveAvgPoolOp } from './adaptive-avg-pool.ts';
import type { AddOp } from './add.ts';
import type { AttentionOp } from './attention.ts';
import type { BatchNormOp } from './batch-norm.ts';
import type { ConvTranspose2dOp } from './conv-transpose2d.ts';
import type { Conv2dOp } from './conv2d.ts';
import type { Padding, Pair } from './definition.ts';
import type { DropoutOp } from './dropout.ts';
import type { Relu6Op } from './elementwise.ts';
import type { EmbeddingOp } from './embedding.ts';
import type { GroupNormOp } from './group-norm.ts';
import type { LayerNormOp } from './layer-norm.ts';
import type { LinearOp } from './linear.ts';
import type { PoolOp } from './pool.ts';
import type { ReluOp } from './relu.ts';

/** Operations as data, written briefly, with PyTorch's defaults. A number stands for both axes. */

type Both = number | Pair;

function pair(value: Both): Pair {
  return typeof value === 'number' ? [value, value] : value;
}

/** [vertical, horizontal] padding, the same on both sides. */
function symmetric(value: Both): Padding {
  const [vertical, horizontal] = pair(value);
  return [vertical, vertical, horizontal, horizontal];
}

export interface ConvOptions {
  readonly stride?: Both;
  readonly padding?: Both;
  readonly dilation?: Both;
  readonly groups?: number;
  readonly bias?: boolean;
}

export function conv2d(outChannels: number, kernel: Both, options: ConvOptions = {}): Conv2dOp {
  const { stride = 1, padding = 0, dilation = 1, groups = 1, bias = true } = options;
  return {
    kind: 'conv2d',
    outChannels,
    kernel: pair(kernel),
    stride: pair(stride),
    padding: symmetric(padding),
    dilation: pair(dilation),
    groups,
    bias,
  };
}

/** Without padding. */
export function convTranspose2d(outChannels: number, kernel: Both, stride: Both = 1): ConvTranspose2dOp {
  return { kind: 'conv-transpose2d', outChannels, kernel: pair(kernel), stride: pair(stride), bias: true };
}

export interface PoolOptions {
  /** The kernel's size where not given. */
  readonly stride?: Both;
  readonly padding?: Both;
  readonly ceilMode?: boolean;
  readonly countIncludePad?: boolean;
}

function pool(kind: PoolOp['kind'], kernel: Both, options: PoolOptions): PoolOp {
  const { stride = kernel, padding = 0, ceilMode = false, countIncludePad = true } = options;
  return {
    kind,
    kernel: pair(kernel),
    stride: pair(stride),
    padding: symmetric(padding),
    ceilMode,
    countIncludePad,
  };
}

export function maxPool(kernel: Both, options: PoolOptions = {}): PoolOp {
  return pool('max-pool', kernel, options);
}

export function avgPool(kernel: Both, options: PoolOptions = {}): PoolOp {
  return pool('avg-pool', kernel, options);
}

export function adaptiveAvgPool(output: Both): AdaptiveAvgPoolOp {
  return { kind: 'adaptive-avg-pool', output: pair(output) };
}

export function batchNorm(epsilon = 1e-5, momentum = 0.1): BatchNormOp {
  return { kind: 'batch-norm', epsilon, momentum };
}

export function linear(outFeatures: number, bias = true): LinearOp {
  return { kind: 'linear', outFeatures, bias };
}

export function dropout(rate: number): DropoutOp {
  return { kind: 'dropout', rate };
}

export function embedding(count: number, width: number): EmbeddingOp {
  return { kind: 'embedding', count, width };
}

export function groupNorm(groups: number, epsilon = 1e-5): GroupNormOp {
  return { kind: 'group-norm', groups, epsilon };
}

export function layerNorm(epsilon = 1e-5): LayerNormOp {
  return { kind: 'layer-norm', epsilon };
}

/** Fused attention. */
export function attention(causal: boolean, rate = 0): AttentionOp {
  return { kind: 'attention', causal, rate };
}

export const RELU6_INPLACE: Relu6Op = { kind: 'relu6', inplace: true };
export const GELU = { kind: 'gelu', tanh: false } as const;
export const GELU_TANH = { kind: 'gelu', tanh: true } as const;
export const TANH = { kind: 'tanh' } as const;
export const SIGMOID = { kind: 'sigmoid' } as const;
export const SOFTMAX = { kind: 'softmax' } as const;
export const RELU: ReluOp = { kind: 'relu', inplace: false };
export const RELU_INPLACE: ReluOp = { kind: 'relu', inplace: true };
export const ADD: AddOp = { kind: 'add', inplace: false };
export const ADD_INPLACE: AddOp = { kind: 'add', inplace: true };
export const MULTIPLY = { kind: 'multiply' } as const;
export const CONCAT = { kind: 'concat' } as const;
export const FLATTEN = { kind: 'flatten' } as const;
export const IDENTITY = { kind: 'identity' } as const;
export const SHIFT = { kind: 'shift' } as const;
