import * as tf from '@tensorflow/tfjs-core';

/** In what the kernels of the current backend differ. */
export interface BackendTraits {
  /** Pools and convolution gradients take no explicit padding: it is done before them. */
  readonly padsFirst: boolean;
  /** Convolution gradients honour the attribute `dilations`; TensorFlow.js's own ignore it. */
  readonly dilatedGradients: boolean;
  /** A reduction over outer axes transposes the whole tensor first; a global average pool does not. */
  readonly poolsToReduce: boolean;
  /** Rows that meet at one place of a scatter are added one after the other, so always alike. */
  readonly scattersInOrder: boolean;
}

export function backendTraits(): BackendTraits {
  const name = tf.getBackend();
  return {
    padsFirst: name === 'tensorflow',
    dilatedGradients: name === 'wasm',
    poolsToReduce: name === 'wasm',
    scattersInOrder: name === 'wasm' || name === 'cpu',
  };
}
