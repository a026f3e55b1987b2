import * as tf from '@tensorflow/tfjs-core';
import type { ShiftOp } from '../../../engine/ops/views.ts';
import { type Kernel, kept, NO_PARAMETERS } from './kernel.ts';

/** Drops the first row and column. */
export const shiftKernel: Kernel<ShiftOp> = {
  parameters: NO_PARAMETERS,
  forward({ inputs }) {
    const x = kept(inputs[0], 'its input');
    const [n = 1, h = 1, w = 1, c = 1] = x.shape;
    return { output: tf.slice(x, [0, 1, 1, 0], [n, h - 1, w - 1, c]), aux: [] };
  },
  backward({ gradient, wants }) {
    if (wants[0] !== true) return { inputs: [null], parameters: [] };
    const padding: [number, number][] = [
      [0, 0],
      [1, 0],
      [1, 0],
      [0, 0],
    ];
    return { inputs: [tf.pad(gradient, padding)], parameters: [] };
  },
};
