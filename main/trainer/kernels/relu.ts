import * as tf from '@tensorflow/tfjs-core';
import type { ReluOp } from '../../../engine/ops/relu.ts';
import { type Kernel, kept, NO_PARAMETERS } from './kernel.ts';

export const reluKernel: Kernel<ReluOp> = {
  parameters: NO_PARAMETERS,
  forward: ({ inputs }) => ({ output: tf.relu(kept(inputs[0], 'its input')), aux: [] }),
  backward({ gradient, output, wants }) {
    if (wants[0] !== true) return { inputs: [null], parameters: [] };
    // Where the output is positive, so was the input.
    return { inputs: [tf.mul(gradient, tf.step(kept(output, 'its output')))], parameters: [] };
  },
};
