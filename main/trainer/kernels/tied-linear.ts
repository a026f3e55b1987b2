import * as tf from '@tensorflow/tfjs-core';
import type { TiedLinearOp } from '../../../engine/ops/tied-linear.ts';
import { tableSpec } from './embedding.ts';
import { type Kernel, kept, runKernel, runKernels } from './kernel.ts';
import { rowsOf } from './rows.ts';
import { backendTraits } from './traits.ts';

/**
 * [N, L, features] times the transposed table of an embedding, [outputs, features], which it receives as its parameter
 * (parameter-store.ts). Uses (T xᵀ)ᵀ, because transposing the large table would copy it.
 */
export const tiedLinearKernel: Kernel<TiedLinearOp> = {
  parameters: (op, inputs) => [tableSpec(op.outFeatures, inputs[0]?.at(-1) ?? 1)],
  forward({ inputs, outputShape, parameters }) {
    const table = kept(parameters[0], 'the table');
    if (backendTraits().fuses) {
      const given = { x: kept(inputs[0], 'its input'), weight: table };
      return { output: runKernel('ZigzagLinear', given, { transposed: true }), aux: [] };
    }
    const x = rowsOf(kept(inputs[0], 'its input'));
    const product = tf.matMul(table, tf.transpose(x));
    return { output: tf.reshape(tf.transpose(product), [...outputShape]), aux: [] };
  },
  backward({ gradient, inputs, inputShapes, parameters, wants }) {
    const table = kept(parameters[0], 'the table');
    if (backendTraits().fuses) {
      const given = { x: kept(inputs[0], 'its input'), dy: gradient, weight: table };
      const wanted = wants[0] === true;
      const [dx = null, own] = runKernels('ZigzagLinearGradient', given, { wanted, transposed: true });
      return { inputs: [wanted ? dx : null], parameters: [kept(own, 'its gradient')] };
    }
    const x = rowsOf(kept(inputs[0], 'its input'));
    const dy = rowsOf(gradient);
    const tableGradient = tf.matMul(tf.transpose(dy), x);
    const inputGradient =
      wants[0] === true ? tf.reshape(tf.matMul(dy, table), [...(inputShapes[0] ?? [])]) : null;
    return { inputs: [inputGradient], parameters: [tableGradient] };
  },
};
