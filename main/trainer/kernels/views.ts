import * as tf from '@tensorflow/tfjs-core';
import type { FlattenOp, IdentityOp } from '../../../engine/ops/operation.ts';
import { executionShape } from '../layout.ts';
import { copyOf, type Kernel, kept, NO_PARAMETERS } from './kernel.ts';

/**
 * Flatten and identity. The executor never calls these where the profile says `view`: it shares the
 * storage. They are here for a profile that does not.
 */
export const viewKernel: Kernel<FlattenOp | IdentityOp> = {
  parameters: NO_PARAMETERS,
  forward({ inputs, outputShape }) {
    const x = kept(inputs[0], 'its input');
    return { output: tf.reshape(copyOf(x), executionShape(outputShape)), aux: [] };
  },
  backward({ gradient, inputShapes, wants }) {
    if (wants[0] !== true) return { inputs: [null], parameters: [] };
    return { inputs: [tf.reshape(copyOf(gradient), executionShape(inputShapes[0] ?? []))], parameters: [] };
  },
};
