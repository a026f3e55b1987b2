import * as tf from '@tensorflow/tfjs-core';
import type { CausalMaskOp, SoftmaxOp } from '../../../engine/ops/elementwise.ts';
import { type Kernel, kept, NO_PARAMETERS, runKernel } from './kernel.ts';
import { backendTraits } from './traits.ts';

/** Value of a hidden score: finite, and so low that its exponential is exactly 0. */
export const HIDDEN = -1e9;

/** Over the last axis. */
export const softmaxKernel: Kernel<SoftmaxOp> = {
  parameters: NO_PARAMETERS,
  forward({ inputs }) {
    const x = kept(inputs[0], 'its input');
    return { output: backendTraits().fuses ? runKernel('ZigzagSoftmax', { x }, {}) : tf.softmax(x), aux: [] };
  },
  /** y (dy - Σ dy · y) */
  backward({ gradient, output, wants }) {
    if (wants[0] !== true) return { inputs: [null], parameters: [] };
    const y = kept(output, 'its output');
    if (backendTraits().fuses) {
      return { inputs: [runKernel('ZigzagSoftmaxGradient', { y, dy: gradient }, {})], parameters: [] };
    }
    const mean = tf.sum(tf.mul(gradient, y), -1, true);
    return { inputs: [tf.mul(y, tf.sub(gradient, mean))], parameters: [] };
  },
};

/** [N, heads, L, L]: row i sees columns 0 to i. */
export const causalMaskKernel: Kernel<CausalMaskOp> = {
  parameters: NO_PARAMETERS,
  forward({ inputs }) {
    const scores = kept(inputs[0], 'its input');
    if (backendTraits().fuses) return { output: hiddenBy(scores, HIDDEN), aux: [] };
    return { output: hideLater(scores, visible(scores.shape.at(-1) ?? 1)), aux: [] };
  },
  backward({ gradient, wants }) {
    if (wants[0] !== true) return { inputs: [null], parameters: [] };
    if (backendTraits().fuses) return { inputs: [hiddenBy(gradient, 0)], parameters: [] };
    return { inputs: [tf.mul(gradient, visible(gradient.shape.at(-1) ?? 1))], parameters: [] };
  },
};

const hiddenBy = (x: tf.Tensor, hidden: number): tf.Tensor => runKernel('ZigzagHideLater', { x }, { hidden });

/** Scores [..., L, L] with the mask [L, L] applied. */
export function hideLater(scores: tf.Tensor, seen: tf.Tensor): tf.Tensor {
  return tf.add(tf.mul(scores, seen), tf.mul(tf.sub(1, seen), HIDDEN));
}

/** [L, L]: 1 up to the diagonal, 0 after it. */
export function visible(length: number): tf.Tensor2D {
  const values = new Float32Array(length * length);
  for (let i = 0; i < length; i++) values.fill(1, i * length, i * length + i + 1);
  return tf.tensor2d(values, [length, length]);
}
