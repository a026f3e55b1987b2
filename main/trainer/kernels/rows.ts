import * as tf from '@tensorflow/tfjs-core';

/** [..., features] as a matrix: all rows of the last axis, one below the other. */
export function rowsOf(x: tf.Tensor): tf.Tensor2D {
  const width = x.shape.at(-1) ?? 1;
  return (x.rank === 2 ? x : tf.reshape(x, [x.size / width, width])) as tf.Tensor2D;
}
