import * as tf from '@tensorflow/tfjs-core';
import type { NodeJSKernelBackend } from '@tensorflow/tfjs-node-gpu/dist/nodejs_kernel_backend.js';

/** Differences between the kernels of backends. */
export interface BackendTraits {
  /** Pools and convolution gradients take no explicit padding: it is done before them. */
  readonly padsFirst: boolean;
  /** Convolution gradients honour the attribute `dilations`; TensorFlow.js's own ignore it. */
  readonly dilatedGradients: boolean;
  /** A reduction over outer axes transposes the whole tensor first; a global average pool does not. */
  readonly poolsToReduce: boolean;
  /** A scatter adds rows of one place one after the other, so its result is reproducible. */
  readonly scattersInOrder: boolean;
  /** TensorFlow's own operations on the processor; on GPUs they differ or are untested. */
  readonly ownOperations: boolean;
  /** Has kernels of our own for whole operations and their gradients, named `Zigzag...` (backends). */
  readonly fuses: boolean;
}

export function backendTraits(): BackendTraits {
  const name = tf.getBackend();
  return {
    padsFirst: name === 'tensorflow',
    dilatedGradients: name === 'wasm',
    poolsToReduce: name === 'wasm',
    fuses: tf.getKernel('ZigzagLinear', name) != null,
    scattersInOrder: name === 'wasm' || name === 'cpu',
    ownOperations: name === 'tensorflow' && !isUsingGpu(),
  };
}

function isUsingGpu(): boolean {
  return (tf.backend() as unknown as Pick<NodeJSKernelBackend, 'isUsingGpuDevice'>).isUsingGpuDevice;
}
