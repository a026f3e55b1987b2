import * as tf from '@tensorflow/tfjs-core';
import type { BatchNormOp } from '../../../engine/ops/batch-norm.ts';
import type { Shape } from '../../../engine/ops/definition.ts';
import { channelMean } from './channels.ts';
import { type Kernel, kept, runKernels } from './kernel.ts';
import { backendTraits } from './traits.ts';

/**
 * Batch normalisation with the statistics of the batch over [N, H, W, C] or [N, C]. Parameters: scale,
 * shift [C]. Auxiliaries: mean and (biased) variance [C]. Running statistics: the same two, the variance
 * unbiased as in PyTorch, updated by the first forward of a step only.
 */
export const batchNormKernel: Kernel<BatchNormOp> = {
  parameters: (_op, inputs) => [
    { shape: [channelsOf(inputs)], initial: 'ones' },
    { shape: [channelsOf(inputs)], initial: 'zeros' },
  ],
  forward({ op, inputs, parameters }) {
    const x = kept(inputs[0], 'its input');
    const [scale, shift] = [kept(parameters[0], 'its scale'), kept(parameters[1], 'its shift')];
    if (backendTraits().fuses) {
      const [output, ...aux] = runKernels('ZigzagBatchNorm', { x, scale, shift }, { epsilon: op.epsilon });
      return { output: kept(output, 'its output'), aux };
    }
    const mean = channelMean(x);
    const centred = tf.sub(x, mean);
    const variance = channelMean(tf.square(centred));
    // Two passes over existing tensors; on wasm several times as fast as the kernel FusedBatchNorm.
    const factor = tf.mul(scale, tf.rsqrt(tf.add(variance, op.epsilon)));
    const output = tf.add(tf.mul(centred, factor), shift);
    return { output, aux: [mean, variance] };
  },
  /**
   * With x̂ = (x - mean) / σ and M elements a channel: the shift's gradient is Σdy, the scale's Σdy·x̂, the
   * input's scale/σ · (dy - Σdy/M - x̂ Σdy·x̂/M).
   */
  backward({ op, gradient, inputs, aux, parameters, wants }) {
    const x = kept(inputs[0], 'its input');
    if (backendTraits().fuses) {
      const [mean, variance] = [kept(aux[0], 'its mean'), kept(aux[1], 'its variance')];
      const given = { x, dy: gradient, mean, variance, scale: kept(parameters[0], 'its scale') };
      const attributes = { epsilon: op.epsilon, wanted: wants[0] === true };
      const [scale, shift, dx = null] = runKernels('ZigzagBatchNormGradient', given, attributes);
      return { inputs: [dx], parameters: [kept(scale, 'a gradient'), kept(shift, 'a gradient')] };
    }
    const count = x.size / (x.shape.at(-1) ?? 1);
    const inverse = tf.rsqrt(tf.add(kept(aux[1], 'its variance'), op.epsilon));
    const centred = tf.sub(x, kept(aux[0], 'its mean'));
    const meanGradient = channelMean(gradient);
    const meanProduct = tf.mul(channelMean(tf.mul(gradient, centred)), inverse);
    const parameterGradients = [tf.mul(meanProduct, count), tf.mul(meanGradient, count)];
    if (wants[0] !== true) return { inputs: [null], parameters: parameterGradients };
    const factor = tf.mul(kept(parameters[0], 'its scale'), inverse);
    const slope = tf.mul(tf.mul(factor, inverse), meanProduct);
    const inputGradient = tf.sub(
      tf.sub(tf.mul(gradient, factor), tf.mul(centred, slope)),
      tf.mul(factor, meanGradient),
    );
    return { inputs: [inputGradient], parameters: parameterGradients };
  },
  statistics: {
    specs: (_op, inputs) => [
      { shape: [channelsOf(inputs)], initial: 'zeros' },
      { shape: [channelsOf(inputs)], initial: 'ones' },
    ],
    update(op, aux, inputs, old) {
      const shape = inputs[0] ?? [];
      const count = shape.reduce((product, extent) => product * extent, 1) / channelsOf(inputs);
      const unbiased = count > 1 ? count / (count - 1) : 1;
      return old.map((value, i) => {
        const fresh = tf.mul(kept(aux[i], 'its statistics'), i === 1 ? unbiased : 1);
        return tf.add(tf.mul(value, 1 - op.momentum), tf.mul(fresh, op.momentum));
      });
    },
  },
};

function channelsOf(inputs: readonly Shape[]): number {
  return inputs[0]?.[1] ?? 1;
}
