import * as tf from '@tensorflow/tfjs-core';
import { backendTraits } from './traits.ts';

/**
 * Mean over all axes but the last, [N, H, W, C] or [N, C] to [C]. On `wasm` by a global average pool,
 * which is about 20 times as fast.
 */
export function channelMean(x: tf.Tensor): tf.Tensor1D {
  if (x.rank === 4 && backendTraits().poolsToReduce) {
    const [n = 1, h = 1, w = 1, c = 1] = x.shape;
    const pooled = h * w === 1 ? x : tf.avgPool(x as tf.Tensor4D, [h, w], 1, 'valid');
    const rows = tf.reshape(pooled, [n, c]);
    return n === 1 ? tf.reshape(rows, [c]) : tf.mean(rows, 0);
  }
  return tf.mean(x, x.rank === 4 ? [0, 1, 2] : [0]);
}

/** Sum over all axes but the last. */
export function channelSum(x: tf.Tensor): tf.Tensor1D {
  return tf.mul(channelMean(x), x.size / (x.shape.at(-1) ?? 1));
}
