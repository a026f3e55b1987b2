import * as tf from '@tensorflow/tfjs-core';
import type { ReluOp } from '../../../engine/ops/relu.ts';
import { type Kernel, kept, NO_PARAMETERS, runKernel } from './kernel.ts';
import { backendTraits } from './traits.ts';

export const reluKernel: Kernel<ReluOp> = {
  parameters: NO_PARAMETERS,
  forward: ({ inputs }) => ({ output: tf.relu(kept(inputs[0], 'its input')), aux: [] }),
  backward({ gradient, output, wants }) {
    if (wants[0] !== true) return { inputs: [null], parameters: [] };
    if (backendTraits().fuses) {
      const y = kept(output, 'its output');
      return { inputs: [runKernel('ZigzagReluGradient', { dy: gradient, y }, {})], parameters: [] };
    }
    // The input is positive wherever the output is.
    return { inputs: [tf.mul(gradient, tf.step(kept(output, 'its output')))], parameters: [] };
  },
};
