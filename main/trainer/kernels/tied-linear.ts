import * as tf from '@tensorflow/tfjs-core';
import type { TiedLinearOp } from '../../../engine/ops/tied-linear.ts';
import { tableSpec } from './embedding.ts';
import { type Kernel, kept } from './kernel.ts';
import { rowsOf } from './rows.ts';
import { backendTraits } from './traits.ts';

/**
 * [N, L, features] times the transposed table of an embedding, [outputs, features], which it is given as
 * its parameter (parameter-store.ts). No product transposes the table, which is large: (T xᵀ)ᵀ.
 */
export const tiedLinearKernel: Kernel<TiedLinearOp> = {
  parameters: (op, inputs) => [tableSpec(op.outFeatures, inputs[0]?.at(-1) ?? 1)],
  forward({ inputs, outputShape, parameters }) {
    const x = rowsOf(kept(inputs[0], 'its input'));
    if (backendTraits().fuses) {
      const output = tf.matMul(x, kept(parameters[0], 'the table'), false, true);
      return { output: tf.reshape(output, [...outputShape]), aux: [] };
    }
    const product = tf.matMul(kept(parameters[0], 'the table'), tf.transpose(x));
    return { output: tf.reshape(tf.transpose(product), [...outputShape]), aux: [] };
  },
  backward({ gradient, inputs, inputShapes, parameters, wants }) {
    const x = rowsOf(kept(inputs[0], 'its input'));
    const dy = rowsOf(gradient);
    const tableGradient = backendTraits().fuses
      ? tf.matMul(dy, x, true, false)
      : tf.matMul(tf.transpose(dy), x);
    const inputGradient =
      wants[0] === true
        ? tf.reshape(tf.matMul(dy, kept(parameters[0], 'the table')), [...(inputShapes[0] ?? [])])
        : null;
    return { inputs: [inputGradient], parameters: [tableGradient] };
  },
};
