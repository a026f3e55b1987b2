import * as tf from '@tensorflow/tfjs-core';
import type { ClassTokenOp } from '../../../engine/ops/class-token.ts';
import type { FirstOp, SplitOp } from '../../../engine/ops/sequence-views.ts';
import { channelSum } from './channels.ts';
import { tableSpec } from './embedding.ts';
import { type Kernel, kept, NO_PARAMETERS } from './kernel.ts';

/** The first place of every sequence, [N, L, width] to [N, width]. */
export const firstKernel: Kernel<FirstOp> = {
  parameters: NO_PARAMETERS,
  forward: ({ inputs }) => ({ output: firstOf(kept(inputs[0], 'its input')), aux: [] }),
  backward({ gradient, inputShapes, wants }) {
    if (wants[0] !== true) return { inputs: [null], parameters: [] };
    const [n = 1, length = 1, width = 1] = inputShapes[0] ?? [];
    const padding: [number, number][] = [
      [0, 0],
      [0, length - 1],
      [0, 0],
    ];
    return { inputs: [tf.pad(tf.reshape(gradient, [n, 1, width]), padding)], parameters: [] };
  },
};

/** One of several equal parts of the last axis. */
export const splitKernel: Kernel<SplitOp> = {
  parameters: NO_PARAMETERS,
  forward({ op, inputs, outputShape }) {
    const x = kept(inputs[0], 'its input');
    return { output: tf.slice(x, [0, 0, op.part * (outputShape[2] ?? 1)], [...outputShape]), aux: [] };
  },
  backward({ op, gradient, outputShape, wants }) {
    if (wants[0] !== true) return { inputs: [null], parameters: [] };
    const width = outputShape[2] ?? 1;
    const padding: [number, number][] = [
      [0, 0],
      [0, 0],
      [op.part * width, (op.parts - 1 - op.part) * width],
    ];
    return { inputs: [tf.pad(gradient, padding)], parameters: [] };
  },
};

/** A trained vector before every sequence. */
export const classTokenKernel: Kernel<ClassTokenOp> = {
  parameters: (_op, inputs) => [tableSpec(1, inputs[0]?.[2] ?? 1)],
  forward({ inputs, parameters }) {
    const x = kept(inputs[0], 'its input');
    const [n = 1, , width = 1] = x.shape;
    const token = tf.reshape(kept(parameters[0], 'its vector'), [1, 1, width]);
    return { output: tf.concat([tf.tile(token, [n, 1, 1]), x], 1), aux: [] };
  },
  backward({ gradient, inputShapes, wants }) {
    const [n = 1, length = 1, width = 1] = inputShapes[0] ?? [];
    const inputGradient = wants[0] === true ? tf.slice(gradient, [0, 1, 0], [n, length, width]) : null;
    const tokenGradient = tf.reshape(channelSum(firstOf(gradient)), [1, width]);
    return { inputs: [inputGradient], parameters: [tokenGradient] };
  },
};

function firstOf(x: tf.Tensor): tf.Tensor {
  const [n = 1, , width = 1] = x.shape;
  return tf.reshape(tf.slice(x, [0, 0, 0], [n, 1, width]), [n, width]);
}
