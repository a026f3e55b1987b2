import * as tf from '@tensorflow/tfjs-core';
import type { LinearOp } from '../../../engine/ops/linear.ts';
import { channelSum } from './channels.ts';
import { type Kernel, kept, runKernel, runKernels } from './kernel.ts';
import { rowsOf } from './rows.ts';
import { backendTraits } from './traits.ts';

/** [N, features] or [N, L, features] times a weight [features, outputs]. */
export const linearKernel: Kernel<LinearOp> = {
  parameters(op, inputs) {
    const features = inputs[0]?.at(-1) ?? 1;
    const weight = {
      shape: [features, op.outFeatures],
      initial: { normal: Math.sqrt(2 / features) },
    } as const;
    return op.bias ? [weight, { shape: [op.outFeatures], initial: 'zeros' }] : [weight];
  },
  forward({ op, inputs, outputShape, parameters }) {
    if (backendTraits().fuses) {
      const [x, weight] = [kept(inputs[0], 'its input'), kept(parameters[0], 'its weight')];
      const bias: Record<string, tf.Tensor> = op.bias ? { bias: kept(parameters[1], 'its bias') } : {};
      return { output: runKernel('ZigzagLinear', { x, weight, ...bias }, {}), aux: [] };
    }
    const product = tf.matMul(rowsOf(kept(inputs[0], 'its input')), kept(parameters[0], 'its weight'));
    const output = op.bias ? tf.add(product, kept(parameters[1], 'its bias')) : product;
    return { output: tf.reshape(output, [...outputShape]), aux: [] };
  },
  /** Uses (W dyᵀ)ᵀ instead of dy Wᵀ: transposing the weight would copy up to hundreds of megabytes. */
  backward({ op, gradient, inputs, inputShapes, parameters, wants }) {
    const weight = kept(parameters[0], 'its weight');
    if (backendTraits().fuses) {
      const given = { x: kept(inputs[0], 'its input'), dy: gradient, weight };
      const wanted = wants[0] === true;
      const [dx = null, ...own] = runKernels('ZigzagLinearGradient', given, { wanted, bias: op.bias });
      return { inputs: [wanted ? dx : null], parameters: own.slice(0, op.bias ? 2 : 1) };
    }
    const dy = rowsOf(gradient);
    const weightGradient = tf.matMul(tf.transpose(rowsOf(kept(inputs[0], 'its input'))), dy);
    const inputGradient =
      wants[0] === true
        ? tf.reshape(tf.transpose(tf.matMul(weight, tf.transpose(dy))), [...(inputShapes[0] ?? [])])
        : null;
    return {
      inputs: [inputGradient],
      parameters: op.bias ? [weightGradient, channelSum(dy)] : [weightGradient],
    };
  },
};
