import * as tf from '@tensorflow/tfjs-core';
import { convFilterGradient, depthwiseFilterGradient } from './filter-gradient.ts';
import type { HeapGuard } from './guard.ts';
import { convInputGradient, depthwiseInputGradient } from './input-gradient.ts';
import { maxPoolGradient } from './max-pool-gradient.ts';
import { ORIGINAL_SLICE, slice } from './slice.ts';

/** Kernels in TensorFlow.js's own `wasm` backend that pack their weights inside the module, and the input that holds these. */
const PACKING: Readonly<Record<string, string>> = {
  Conv2D: 'filter',
  DepthwiseConv2dNative: 'filter',
  BatchMatMul: 'b',
};

/** A transposed copy and the packed weights, padded to the width of XNNPACK's tiles. */
const PACKED_COPIES = 2.5;
const PACKING_SLACK_BYTES = 1024 * 1024;

let registered: HeapGuard | null = null;

/**
 * Completes the `wasm` backend: convolution gradients (the filter's is missing, the input's is 11 times
 * slower than the same through XNNPACK), depthwise gradients (missing), the max pool's gradient (wrong for
 * negative maxima), a slice that does not copy the whole tensor; and puts the guard before the kernels that allocate where it cannot see.
 */
export function registerWasmKernels(guard: HeapGuard): void {
  const first = registered === null;
  registered = guard;
  if (!first) return;
  const original = tf.getKernel('Slice', 'wasm');
  tf.registerKernel({ ...original, kernelName: ORIGINAL_SLICE });
  replace('Slice', slice);
  replace('MaxPoolGrad', maxPoolGradient);
  replace('Conv2DBackpropInput', convInputGradient);
  replace('Conv2DBackpropFilter', convFilterGradient);
  replace('DepthwiseConv2dNativeBackpropInput', depthwiseInputGradient);
  replace('DepthwiseConv2dNativeBackpropFilter', depthwiseFilterGradient);
  for (const [name, weights] of Object.entries(PACKING)) guardPacking(name, weights);
}

function replace<Call>(name: string, kernel: (call: Call) => tf.TensorInfo): void {
  if (tf.getKernel(name, 'wasm') != null) tf.unregisterKernel(name, 'wasm');
  tf.registerKernel({
    kernelName: name,
    backendName: 'wasm',
    kernelFunc: (call) => kernel(call as unknown as Call),
  });
}

function guardPacking(name: string, weights: string): void {
  const original = tf.getKernel(name, 'wasm');
  tf.unregisterKernel(name, 'wasm');
  tf.registerKernel({
    ...original,
    kernelFunc: (call) => {
      const shape = call.inputs[weights]?.shape ?? [];
      const bytes = 4 * tf.util.sizeFromShape(shape);
      registered?.requireNative(Math.ceil(PACKED_COPIES * bytes) + PACKING_SLACK_BYTES);
      return original.kernelFunc(call);
    },
  });
}
