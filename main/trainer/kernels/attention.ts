import * as tf from '@tensorflow/tfjs-core';
import type { AttentionScoresOp, AttentionValuesOp } from '../../../engine/ops/attention.ts';
import { type Kernel, kept, NO_PARAMETERS, runKernel } from './kernel.ts';
import { backendTraits } from './traits.ts';

/** Attention in separate operations. The executor holds q, k, v and the output as [N, L, heads, each] (layout.ts). */

/** q kᵀ for every head, [N, heads, L, L]. */
export const attentionScoresKernel: Kernel<AttentionScoresOp> = {
  parameters: NO_PARAMETERS,
  forward({ inputs }) {
    const [q, k] = [kept(inputs[0], 'its queries'), kept(inputs[1], 'its keys')];
    return { output: product(heads(q), heads(k), false, true, false), aux: [] };
  },
  backward({ gradient, inputs, wants }) {
    const scores = matrices(gradient);
    return {
      inputs: [
        wants[0] === true ? product(scores, heads(kept(inputs[1], 'its keys')), false, false, true) : null,
        wants[1] === true ? product(scores, heads(kept(inputs[0], 'its queries')), true, false, true) : null,
      ],
      parameters: [],
    };
  },
};

/** Probabilities times values. */
export const attentionValuesKernel: Kernel<AttentionValuesOp> = {
  parameters: NO_PARAMETERS,
  forward({ inputs }) {
    const probabilities = matrices(kept(inputs[0], 'its probabilities'));
    return {
      output: product(probabilities, heads(kept(inputs[1], 'its values')), false, false, true),
      aux: [],
    };
  },
  backward({ gradient, inputs, wants }) {
    const dy = heads(gradient);
    return {
      inputs: [
        wants[0] === true ? product(dy, heads(kept(inputs[1], 'its values')), false, true, false) : null,
        wants[1] === true
          ? product(matrices(kept(inputs[0], 'its probabilities')), dy, true, false, true)
          : null,
      ],
      parameters: [],
    };
  },
};

/** A matrix for every head: [N, L, heads, each], or [N, heads, rows, columns]. */
interface Side {
  readonly tensor: tf.Tensor;
  readonly heads: boolean;
}

const heads = (tensor: tf.Tensor): Side => ({ tensor, heads: true });
const matrices = (tensor: tf.Tensor): Side => ({ tensor, heads: false });

/** A product for every head, as [N, L, heads, each] if `headsOut`, else as [N, heads, rows, columns]. */
function product(a: Side, b: Side, transposeA: boolean, transposeB: boolean, headsOut: boolean): tf.Tensor {
  if (backendTraits().fuses) {
    const attributes = { headsA: a.heads, headsB: b.heads, headsOut, transposeA, transposeB };
    return runKernel('ZigzagHeadProduct', { a: a.tensor, b: b.tensor }, attributes);
  }
  const [left, right] = [a, b].map((side) => (side.heads ? byHead(side.tensor) : side.tensor));
  const result = tf.matMul(kept(left, 'a side'), kept(right, 'a side'), transposeA, transposeB);
  return headsOut ? byHead(result) : result;
}

/** [N, L, heads, each] to [N, heads, L, each], and back. */
export function byHead(x: tf.Tensor): tf.Tensor {
  return tf.transpose(x, [0, 2, 1, 3]);
}
