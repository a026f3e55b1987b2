import * as tf from '@tensorflow/tfjs-core';
import { backendTraits } from './traits.ts';

/** Tokens compared with all others at once. */
const BLOCK = 1024;

/**
 * Sums rows by their places: [M, width] to [count, width], with zeros for unused places. Deterministic even if a
 * backend's threads add in any order: a product first sums all rows of one place into the earliest of them, so only one
 * nonzero row is left to add.
 *
 * @param places int32 [M], each below `count`
 */
export function scatterRows(places: tf.Tensor1D, rows: tf.Tensor2D, count: number): tf.Tensor {
  const [m, width] = rows.shape;
  const updates = backendTraits().scattersInOrder ? rows : summedAtFirst(places, rows);
  return tf.scatterND(tf.reshape(places, [m, 1]), updates, [count, width]);
}

function summedAtFirst(places: tf.Tensor1D, rows: tf.Tensor2D): tf.Tensor {
  const [m] = rows.shape;
  const column = tf.reshape(places, [m, 1]);
  const index = tf.range(0, m, 1, 'int32');
  const blocks: tf.Tensor[] = [];
  for (let from = 0; from < m; from += BLOCK) {
    const size = Math.min(BLOCK, m - from);
    const same = tf.cast(tf.equal(tf.slice(column, [from, 0], [size, 1]), places), 'float32');
    const own = tf.reshape(tf.slice(index, [from], [size]), [size, 1]);
    const earlier = tf.sum(tf.mul(same, tf.cast(tf.less(index, own), 'float32')), 1, true);
    // 1 for the first row of each place.
    const isFirst = tf.sub(1, tf.step(earlier));
    blocks.push(tf.mul(tf.matMul(same, rows), isFirst));
  }
  return tf.concat(blocks, 0);
}
