import * as tf from '@tensorflow/tfjs-core';
import { attentionScoresGradient, attentionShares, attentionSharesAgain } from './attention.ts';
import { batchMatMul, ORIGINAL_BATCH_MAT_MUL } from './batch-mat-mul.ts';
import { depthwiseFilterGradient } from './depthwise-filter-gradient.ts';
import { depthwiseInputGradient } from './depthwise-input-gradient.ts';
import { convFilterGradient, convInputGradient, convolution } from './convolution.ts';
import { addition, descent, elementwise, ORIGINAL_ADD } from './elementwise.ts';
import type { HeapGuard } from './guard.ts';
import { gatherRows, headProduct, linear } from './linear.ts';
import { linearGradient } from './linear-gradient.ts';
import { maxPoolGradient } from './max-pool-gradient.ts';
import {
  batchNorm,
  batchNormGradient,
  channelSum,
  hideLater,
  layerNorm,
  layerNormGradient,
  rowsKernel,
} from './normalisation.ts';
import { ORIGINAL_PAD, pad } from './pad.ts';
import { ORIGINAL_SLICE, slice } from './slice.ts';

interface Packing {
  /** The input that holds the weights. */
  readonly weights: string;
  /** Blocks of about the size of the weights that the kernel allocates: packed weights, a transposed copy. */
  readonly blocks: number;
}

/** Kernels in TensorFlow.js's own `wasm` backend that pack their weights inside the module. */
const PACKING: Readonly<Record<string, Packing>> = {
  DepthwiseConv2dNative: { weights: 'filter', blocks: 2 },
  [ORIGINAL_BATCH_MAT_MUL]: { weights: 'b', blocks: 1 },
};

/** Packed weights are padded to the width of XNNPACK's tiles, and carry a bias. */
const PADDING_SHARE = 1.1;

let registered: HeapGuard | null = null;

/**
 * Completes the `wasm` backend with our own kernels: convolutions, their gradients and matrix products, which pack only
 * what one call needs and read images in place (TensorFlow.js repacks weights after every change, lacks the filter's
 * gradient, and takes 11 times as long for the input's); depthwise gradients (missing); the max pool's gradient (wrong
 * for negative maxima); a slice that does not copy the whole tensor. Also puts the guard before kernels that allocate
 * inside the module.
 */
export function registerWasmKernels(guard: HeapGuard): void {
  const first = registered === null;
  registered = guard;
  if (!first) return;
  keepOriginal('Slice', ORIGINAL_SLICE);
  keepOriginal('BatchMatMul', ORIGINAL_BATCH_MAT_MUL);
  keepOriginal('Add', ORIGINAL_ADD);
  keepOriginal('PadV2', ORIGINAL_PAD);
  replace('PadV2', pad);
  replace('Slice', slice);
  replace('Add', addition);
  replace('BatchMatMul', batchMatMul);
  replace('MaxPoolGrad', maxPoolGradient);
  replace('Conv2D', convolution);
  replace('Conv2DBackpropInput', convInputGradient);
  replace('Conv2DBackpropFilter', convFilterGradient);
  replace('DepthwiseConv2dNativeBackpropInput', depthwiseInputGradient);
  replace('DepthwiseConv2dNativeBackpropFilter', depthwiseFilterGradient);
  replace('Relu', elementwise('relu', ['x']));
  replace('ZigzagReluGradient', elementwise('reluGradient', ['dy', 'y']));
  replace('ZigzagGelu', elementwise('gelu', ['x']));
  replace('ZigzagGeluGradient', elementwise('geluGradient', ['dy', 'x']));
  replace('ZigzagDivide', elementwise('divide', ['x'], ['by']));
  replace('ZigzagDescent', descent);
  replace('ZigzagChannelSum', channelSum);
  replace('ZigzagBatchNorm', batchNorm);
  replace('ZigzagBatchNormGradient', batchNormGradient);
  replace('ZigzagLayerNorm', layerNorm);
  replace('ZigzagLayerNormGradient', layerNormGradient);
  replace('ZigzagSoftmax', rowsKernel('softmax', ['x']));
  replace('ZigzagSoftmaxGradient', rowsKernel('softmaxGradient', ['y', 'dy']));
  replace('ZigzagHideLater', hideLater);
  replace('ZigzagGatherRows', gatherRows);
  replace('ZigzagAttentionShares', attentionShares);
  replace('ZigzagAttentionSharesAgain', attentionSharesAgain);
  replace('ZigzagAttentionScoresGradient', attentionScoresGradient);
  replace('ZigzagLinear', linear);
  replace('ZigzagLinearGradient', linearGradient);
  replace('ZigzagHeadProduct', headProduct);
  for (const [name, packing] of Object.entries(PACKING)) guardPacking(name, packing);
}

function keepOriginal(name: string, as: string): void {
  tf.registerKernel({ ...tf.getKernel(name, 'wasm'), kernelName: as });
}

function replace<Call>(name: string, kernel: (call: Call) => tf.TensorInfo | tf.TensorInfo[]): void {
  if (tf.getKernel(name, 'wasm') != null) tf.unregisterKernel(name, 'wasm');
  tf.registerKernel({
    kernelName: name,
    backendName: 'wasm',
    kernelFunc: (call) => kernel(call as unknown as Call),
  });
}

function guardPacking(name: string, { weights, blocks }: Packing): void {
  const original = tf.getKernel(name, 'wasm');
  tf.unregisterKernel(name, 'wasm');
  tf.registerKernel({
    ...original,
    kernelFunc: (call) => {
      const shape = call.inputs[weights]?.shape ?? [];
      const bytes = Math.ceil(PADDING_SHARE * 4 * tf.util.sizeFromShape(shape));
      registered?.requireNative(new Array<number>(blocks).fill(bytes));
      return original.kernelFunc(call);
    },
  });
}
