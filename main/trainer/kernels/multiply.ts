import * as tf from '@tensorflow/tfjs-core';
import type { MultiplyOp } from '../../../engine/ops/multiply.ts';
import { type Kernel, kept, NO_PARAMETERS } from './kernel.ts';

export const multiplyKernel: Kernel<MultiplyOp> = {
  parameters: NO_PARAMETERS,
  forward({ inputs }) {
    return { output: tf.mul(kept(inputs[0], 'its input'), kept(inputs[1], 'its second input')), aux: [] };
  },
  /** The gradient of each factor is the other factor times the gradient of the product. */
  backward: ({ gradient, inputs, wants }) => ({
    inputs: wants.map((wanted, i) => (wanted ? tf.mul(gradient, kept(inputs[1 - i], 'both inputs')) : null)),
    parameters: [],
  }),
};
