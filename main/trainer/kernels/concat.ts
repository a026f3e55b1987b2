import * as tf from '@tensorflow/tfjs-core';
import type { ConcatOp } from '../../../engine/ops/concat.ts';
import { type Kernel, NO_PARAMETERS } from './kernel.ts';

/** Channels are the last axis of every execution shape. */
export const concatKernel: Kernel<ConcatOp> = {
  parameters: NO_PARAMETERS,
  forward: ({ inputs }) => ({ output: tf.concat([...inputs], -1), aux: [] }),
  backward({ gradient, inputShapes, wants }) {
    let from = 0;
    const slices = inputShapes.map((shape, i) => {
      const channels = shape[1] ?? 0;
      const begin = gradient.shape.map((_extent, axis) => (axis === gradient.rank - 1 ? from : 0));
      const size = gradient.shape.map((extent, axis) => (axis === gradient.rank - 1 ? channels : extent));
      from += channels;
      return wants[i] === true ? tf.slice(gradient, begin, size) : null;
    });
    return { inputs: slices, parameters: [] };
  },
};
