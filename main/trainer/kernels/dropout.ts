import * as tf from '@tensorflow/tfjs-core';
import type { DropoutOp } from '../../../engine/ops/dropout.ts';
import { dropoutMask } from '../random.ts';
import { copyOf, type Kernel, kept, NO_PARAMETERS } from './kernel.ts';

/** The mask is regenerated from the seed in forward, recompute and backward, and never stored. */
export const dropoutKernel: Kernel<DropoutOp> = {
  parameters: NO_PARAMETERS,
  forward({ op, inputs, seed }) {
    return { output: masked(kept(inputs[0], 'its input'), op.rate, seed), aux: [] };
  },
  backward({ op, gradient, seed, wants }) {
    return { inputs: [wants[0] === true ? masked(gradient, op.rate, seed) : null], parameters: [] };
  },
};

function masked(x: tf.Tensor, rate: number, seed: number): tf.Tensor {
  if (rate === 0) return copyOf(x);
  return tf.mul(x, tf.tensor(dropoutMask(x.size, rate, seed), x.shape));
}
