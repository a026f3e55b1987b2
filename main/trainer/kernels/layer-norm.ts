import * as tf from '@tensorflow/tfjs-core';
import type { LayerNormOp } from '../../../engine/ops/layer-norm.ts';
import { channelSum } from './channels.ts';
import { type Kernel, kept, runKernels } from './kernel.ts';
import { backendTraits } from './traits.ts';

/**
 * Normalises the last axis, row by row. Parameters: scale, shift [features]. Auxiliaries: mean and inverse
 * deviation of every row.
 */
export const layerNormKernel: Kernel<LayerNormOp> = {
  parameters(_op, inputs) {
    const shape = [inputs[0]?.at(-1) ?? 1];
    return [
      { shape, initial: 'ones' },
      { shape, initial: 'zeros' },
    ];
  },
  forward({ op, inputs, parameters }) {
    const x = kept(inputs[0], 'its input');
    const [scale, shift] = [kept(parameters[0], 'its scale'), kept(parameters[1], 'its shift')];
    if (backendTraits().fuses) {
      const [output, ...aux] = runKernels('ZigzagLayerNorm', { x, scale, shift }, { epsilon: op.epsilon });
      return { output: kept(output, 'its output'), aux };
    }
    const mean = tf.mean(x, -1, true);
    const centred = tf.sub(x, mean);
    const inverse = tf.rsqrt(tf.add(tf.mean(tf.square(centred), -1, true), op.epsilon));
    const normal = tf.mul(centred, inverse);
    return { output: tf.add(tf.mul(normal, scale), shift), aux: [mean, inverse] };
  },
  /**
   * With x̂ = (x - mean) / σ and g = scale · dy, means over a row: the input's gradient is
   * (g - mean(g) - x̂ mean(g · x̂)) / σ, the scale's Σdy · x̂ over all rows, the shift's Σdy.
   */
  backward({ gradient, inputs, aux, parameters, wants }) {
    const inverse = kept(aux[1], 'its inverse deviation');
    const [x, mean] = [kept(inputs[0], 'its input'), kept(aux[0], 'its mean')];
    if (backendTraits().fuses) {
      const given = { x, dy: gradient, scale: kept(parameters[0], 'its scale'), mean, inverse };
      const [dx = null, ...gradients] = runKernels('ZigzagLayerNormGradient', given, {});
      return { inputs: [wants[0] === true ? dx : null], parameters: gradients };
    }
    const normal = tf.mul(tf.sub(x, mean), inverse);
    const parameterGradients = [channelSum(tf.mul(gradient, normal)), channelSum(gradient)];
    if (wants[0] !== true) return { inputs: [null], parameters: parameterGradients };
    const g = tf.mul(gradient, kept(parameters[0], 'its scale'));
    const slope = tf.mean(tf.mul(g, normal), -1, true);
    const inputGradient = tf.mul(tf.sub(tf.sub(g, tf.mean(g, -1, true)), tf.mul(normal, slope)), inverse);
    return { inputs: [inputGradient], parameters: parameterGradients };
  },
};
