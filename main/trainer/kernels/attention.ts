import * as tf from '@tensorflow/tfjs-core';
import type { AttentionScoresOp, AttentionValuesOp } from '../../../engine/ops/attention.ts';
import { type Kernel, kept, NO_PARAMETERS } from './kernel.ts';

/** Attention written out. The executor holds q, k, v and the output as [N, L, heads, each] (layout.ts). */

/** q kᵀ for every head, [N, heads, L, L]. */
export const attentionScoresKernel: Kernel<AttentionScoresOp> = {
  parameters: NO_PARAMETERS,
  forward({ inputs }) {
    const [q, k] = inputs.map(byHead);
    return { output: tf.matMul(kept(q, 'its queries'), kept(k, 'its keys'), false, true), aux: [] };
  },
  backward({ gradient, inputs, wants }) {
    const q = wants[1] === true ? byHead(kept(inputs[0], 'its queries')) : null;
    const k = wants[0] === true ? byHead(kept(inputs[1], 'its keys')) : null;
    return {
      inputs: [
        k === null ? null : byHead(tf.matMul(gradient, k)),
        q === null ? null : byHead(tf.matMul(gradient, q, true, false)),
      ],
      parameters: [],
    };
  },
};

/** Probabilities times values. */
export const attentionValuesKernel: Kernel<AttentionValuesOp> = {
  parameters: NO_PARAMETERS,
  forward({ inputs }) {
    const values = byHead(kept(inputs[1], 'its values'));
    return { output: byHead(tf.matMul(kept(inputs[0], 'its probabilities'), values)), aux: [] };
  },
  backward({ gradient, inputs, wants }) {
    const dy = byHead(gradient);
    const values = wants[0] === true ? byHead(kept(inputs[1], 'its values')) : null;
    const probabilities = wants[1] === true ? kept(inputs[0], 'its probabilities') : null;
    return {
      inputs: [
        values === null ? null : tf.matMul(dy, values, false, true),
        probabilities === null ? null : byHead(tf.matMul(probabilities, dy, true, false)),
      ],
      parameters: [],
    };
  },
};

/** [N, L, heads, each] to [N, heads, L, each], and back. */
export function byHead(x: tf.Tensor): tf.Tensor {
  return tf.transpose(x, [0, 2, 1, 3]);
}
