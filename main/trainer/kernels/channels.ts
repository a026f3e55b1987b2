import * as tf from '@tensorflow/tfjs-core';
import { runKernel } from './kernel.ts';
import { backendTraits } from './traits.ts';

/**
 * Mean over all axes but the last, [..., C] to [C]. On `wasm` by a global average pool, which is about 20
 * times as fast.
 */
export function channelMean(x: tf.Tensor): tf.Tensor1D {
  const c = x.shape.at(-1) ?? 1;
  if (x.size === c) return tf.reshape(x, [c]);
  if (!backendTraits().poolsToReduce)
    return tf.mean(
      x,
      Array.from({ length: x.rank - 1 }, (_axis, i) => i),
    );
  const [n = 1, h = 1, w = 1] = x.rank === 4 ? x.shape : [1, x.size / c, 1];
  const image = tf.reshape(x, [n, h, w, c]) as tf.Tensor4D;
  const pooled = h * w === 1 ? image : tf.avgPool(image, [h, w], 1, 'valid');
  const rows = tf.reshape(pooled, [n, c]);
  return n === 1 ? tf.reshape(rows, [c]) : tf.mean(rows, 0);
}

/** Sum over all axes but the last. */
export function channelSum(x: tf.Tensor): tf.Tensor1D {
  if (backendTraits().fuses) return runKernel('ZigzagChannelSum', { x }, {}) as tf.Tensor1D;
  return tf.mul(channelMean(x), x.size / (x.shape.at(-1) ?? 1));
}
