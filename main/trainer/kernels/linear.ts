import * as tf from '@tensorflow/tfjs-core';
import type { LinearOp } from '../../../engine/ops/operation.ts';
import { channelSum } from './channels.ts';
import { type Kernel, kept } from './kernel.ts';

/** [N, features] times a weight [features, outputs]. */
export const linearKernel: Kernel<LinearOp> = {
  parameters(op, inputs) {
    const features = inputs[0]?.[1] ?? 1;
    const weight = {
      shape: [features, op.outFeatures],
      initial: { normal: Math.sqrt(2 / features) },
    } as const;
    return op.bias ? [weight, { shape: [op.outFeatures], initial: 'zeros' }] : [weight];
  },
  forward({ op, inputs, parameters }) {
    const product = tf.matMul(kept(inputs[0], 'its input'), kept(parameters[0], 'its weight'));
    return { output: op.bias ? tf.add(product, kept(parameters[1], 'its bias')) : product, aux: [] };
  },
  /**
   * No product transposes inside its kernel, which `wasm` does 14 times slower, and none transposes the
   * weight, which can be hundreds of megabytes: (W dyᵀ)ᵀ instead of dy Wᵀ.
   */
  backward({ op, gradient, inputs, parameters, wants }) {
    const weight = kept(parameters[0], 'its weight');
    const weightGradient = tf.matMul(tf.transpose(kept(inputs[0], 'its input')), gradient);
    const inputGradient = wants[0] === true ? tf.transpose(tf.matMul(weight, tf.transpose(gradient))) : null;
    return {
      inputs: [inputGradient],
      parameters: op.bias ? [weightGradient, channelSum(gradient)] : [weightGradient],
    };
  },
};
