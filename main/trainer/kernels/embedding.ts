import * as tf from '@tensorflow/tfjs-core';
import type { AddedEmbeddingOp } from '../../../engine/ops/added-embedding.ts';
import type { EmbeddingOp } from '../../../engine/ops/embedding.ts';
import { channelSum } from './channels.ts';
import { type Kernel, kept, runKernel, type StationarySpec } from './kernel.ts';
import { scatterRows } from './scatter-rows.ts';
import { backendTraits } from './traits.ts';

/** Initial deviation of embeddings, as in GPT-2 and BERT. */
const DEVIATION = 0.02;

/** A table of trained vectors. */
export function tableSpec(count: number, width: number): StationarySpec {
  return { shape: [count, width], initial: { normal: DEVIATION } };
}

/** Rows of a table [count, width] by tokens [N, L]. */
export const embeddingKernel: Kernel<EmbeddingOp> = {
  parameters: (op) => [tableSpec(op.count, op.width)],
  forward({ inputs, parameters }) {
    const tokens = kept(inputs[0], 'its tokens') as tf.Tensor2D;
    const table = kept(parameters[0], 'its table');
    const output = backendTraits().fuses
      ? runKernel('ZigzagGatherRows', { table, places: tokens }, {})
      : tf.gather(table, tokens);
    return { output, aux: [] };
  },
  backward({ op, gradient, inputs }) {
    const tokens = kept(inputs[0], 'its tokens');
    const rows = tf.reshape(gradient, [tokens.size, op.width]) as tf.Tensor2D;
    return {
      inputs: [null],
      parameters: [scatterRows(tf.reshape(tokens, [tokens.size]), rows, op.count)],
    };
  },
};

/** Adds the row of every position, or of the first segment, to a sequence [N, L, width]. */
export const addedEmbeddingKernel: Kernel<AddedEmbeddingOp> = {
  parameters: (op, inputs) => [tableSpec(op.count, inputs[0]?.[2] ?? 1)],
  forward({ op, inputs, parameters }) {
    const x = kept(inputs[0], 'its input');
    const rows = tf.slice(kept(parameters[0], 'its table'), [0, 0], [usedRows(op, x.shape), x.shape[2] ?? 1]);
    return { output: tf.add(x, rows), aux: [] };
  },
  backward({ op, gradient, wants }) {
    const [n = 1, length = 1, width = 1] = gradient.shape;
    const used = usedRows(op, gradient.shape);
    const sums = channelSum(tf.reshape(gradient, [(n * length) / used, used * width]));
    const unused: [number, number][] = [
      [0, op.count - used],
      [0, 0],
    ];
    return {
      inputs: [wants[0] === true ? gradient : null],
      parameters: [tf.pad(tf.reshape(sums, [used, width]), unused)],
    };
  },
};

/** Rows of the table for a sequence: one per position, or one for all. */
export function usedRows(op: AddedEmbeddingOp, [, length = 1]: readonly number[]): number {
  return op.kind === 'position-embedding' ? length : 1;
}
