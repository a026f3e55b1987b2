import * as tf from '@tensorflow/tfjs-core';
import { batchMatMul, ORIGINAL_BATCH_MAT_MUL } from './batch-mat-mul.ts';
import { depthwiseFilterGradient } from './depthwise-filter-gradient.ts';
import { convFilterGradient } from './filter-gradient.ts';
import type { HeapGuard } from './guard.ts';
import { convInputGradient, depthwiseInputGradient } from './input-gradient.ts';
import { maxPoolGradient } from './max-pool-gradient.ts';
import { ORIGINAL_SLICE, slice } from './slice.ts';

interface Packing {
  /** The input that holds the weights. */
  readonly weights: string;
  /** Blocks of about the size of the weights that the kernel allocates: packed weights, a transposed copy. */
  readonly blocks: number;
}

/** Kernels in TensorFlow.js's own `wasm` backend that pack their weights inside the module. */
const PACKING: Readonly<Record<string, Packing>> = {
  Conv2D: { weights: 'filter', blocks: 2 },
  DepthwiseConv2dNative: { weights: 'filter', blocks: 2 },
  [ORIGINAL_BATCH_MAT_MUL]: { weights: 'b', blocks: 1 },
};

/** Packed weights are padded to the width of XNNPACK's tiles, and carry a bias. */
const PADDING_SHARE = 1.1;

let registered: HeapGuard | null = null;

/**
 * Completes the `wasm` backend: convolution gradients (the filter's is missing, the input's is 11 times
 * slower than the same through XNNPACK), depthwise gradients (missing), the max pool's gradient (wrong for
 * negative maxima), a slice that does not copy the whole tensor, products of many matrices through XNNPACK;
 * and puts the guard before the kernels that allocate where it cannot see.
 */
export function registerWasmKernels(guard: HeapGuard): void {
  const first = registered === null;
  registered = guard;
  if (!first) return;
  keepOriginal('Slice', ORIGINAL_SLICE);
  keepOriginal('BatchMatMul', ORIGINAL_BATCH_MAT_MUL);
  replace('Slice', slice);
  replace('BatchMatMul', batchMatMul);
  replace('MaxPoolGrad', maxPoolGradient);
  replace('Conv2DBackpropInput', convInputGradient);
  replace('Conv2DBackpropFilter', convFilterGradient);
  replace('DepthwiseConv2dNativeBackpropInput', depthwiseInputGradient);
  replace('DepthwiseConv2dNativeBackpropFilter', depthwiseFilterGradient);
  for (const [name, packing] of Object.entries(PACKING)) guardPacking(name, packing);
}

function keepOriginal(name: string, as: string): void {
  tf.registerKernel({ ...tf.getKernel(name, 'wasm'), kernelName: as });
}

function replace<Call>(name: string, kernel: (call: Call) => tf.TensorInfo): void {
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
