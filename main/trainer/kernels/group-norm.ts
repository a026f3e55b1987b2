import * as tf from '@tensorflow/tfjs-core';
import type { GroupNormOp } from '../../../engine/ops/group-norm.ts';
import { channelSum } from './channels.ts';
import { type Kernel, kept } from './kernel.ts';

/** An image [N, H, W, C] with the channels of a group apart: [N, H W, groups, C / groups]. */
function grouped(image: tf.Tensor, groups: number): tf.Tensor {
  const [n = 1, h = 1, w = 1, c = 1] = image.shape;
  return tf.reshape(image, [n, h * w, groups, c / groups]);
}

const groupMean = (x: tf.Tensor): tf.Tensor => tf.mean(x, [1, 3], true);

/**
 * Normalises each group of channels, sample by sample. Parameters: scale, shift [C]. Auxiliaries: mean and
 * inverse deviation of every sample and group.
 */
export const groupNormKernel: Kernel<GroupNormOp> = {
  parameters(_op, inputs) {
    const shape = [inputs[0]?.[1] ?? 1];
    return [
      { shape, initial: 'ones' },
      { shape, initial: 'zeros' },
    ];
  },
  forward({ op, inputs, parameters }) {
    const image = kept(inputs[0], 'its input');
    const x = grouped(image, op.groups);
    const mean = groupMean(x);
    const centred = tf.sub(x, mean);
    const inverse = tf.rsqrt(tf.add(groupMean(tf.square(centred)), op.epsilon));
    const normal = tf.reshape(tf.mul(centred, inverse), image.shape);
    const [scale, shift] = [kept(parameters[0], 'its scale'), kept(parameters[1], 'its shift')];
    return { output: tf.add(tf.mul(normal, scale), shift), aux: [mean, inverse] };
  },
  /**
   * With x̂ = (x - mean) / σ and g = scale · dy, means over a group: the input's gradient is
   * (g - mean(g) - x̂ mean(g · x̂)) / σ, the scale's Σdy · x̂ over samples and pixels, the shift's Σdy.
   */
  backward({ op, gradient, inputs, aux, parameters, wants }) {
    const image = kept(inputs[0], 'its input');
    const inverse = kept(aux[1], 'its inverse deviation');
    const normal = tf.mul(tf.sub(grouped(image, op.groups), kept(aux[0], 'its mean')), inverse);
    const parameterGradients = [
      channelSum(tf.mul(gradient, tf.reshape(normal, image.shape))),
      channelSum(gradient),
    ];
    if (wants[0] !== true) return { inputs: [null], parameters: parameterGradients };
    const g = grouped(tf.mul(gradient, kept(parameters[0], 'its scale')), op.groups);
    const slope = groupMean(tf.mul(g, normal));
    const inputGradient = tf.mul(tf.sub(tf.sub(g, groupMean(g)), tf.mul(normal, slope)), inverse);
    return { inputs: [tf.reshape(inputGradient, image.shape)], parameters: parameterGradients };
  },
};
