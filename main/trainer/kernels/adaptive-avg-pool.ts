import * as tf from '@tensorflow/tfjs-core';
import type { AdaptiveAvgPoolOp } from '../../../engine/ops/adaptive-avg-pool.ts';
import type { Shape } from '../../../engine/ops/definition.ts';
import { imageShape } from '../layout.ts';
import { averagePool, averagePoolGradient } from './avg-pool.ts';
import { type Kernel, kept, NO_PARAMETERS } from './kernel.ts';

/**
 * Average pool to a fixed size. If the input's extents are multiples of the output's, it is a plain average pool.
 * Otherwise windows differ in size and may overlap, and the pool is one product with a small weight matrix [output
 * places, input places].
 */
export const adaptiveAvgPoolKernel: Kernel<AdaptiveAvgPoolOp> = {
  parameters: NO_PARAMETERS,
  forward({ op, inputs, outputShape }) {
    const x = kept(inputs[0], 'its input');
    const [n = 1, h = 1, w = 1, c = 1] = x.shape;
    const window = plainWindow(op, h, w);
    if (window !== null) return { output: averagePool(x, window, window), aux: [] };
    const weights = tf.tensor3d([weightRows(op, h, w)]);
    const output = tf.matMul(tiled(weights, n), tf.reshape(x, [n, h * w, c]));
    return { output: tf.reshape(output, imageShape(outputShape)), aux: [] };
  },
  backward({ op, gradient, inputShapes, wants }) {
    if (wants[0] !== true) return { inputs: [null], parameters: [] };
    const shape = imageShape(inputShapes[0] ?? ([] as Shape));
    const [n, h, w, c] = shape;
    const window = plainWindow(op, h, w);
    if (window !== null)
      return { inputs: [averagePoolGradient(gradient, shape, window, window)], parameters: [] };
    const weights = tf.transpose(tf.tensor2d(weightRows(op, h, w)));
    const dy = tf.reshape(gradient, [n, op.output[0] * op.output[1], c]);
    const dx = tf.matMul(tiled(tf.expandDims(weights, 0), n), dy);
    return { inputs: [tf.reshape(dx, shape)], parameters: [] };
  },
};

function plainWindow(op: AdaptiveAvgPoolOp, h: number, w: number): [number, number] | null {
  const [height, width] = op.output;
  return h % height === 0 && w % width === 0 ? [h / height, w / width] : null;
}

function tiled(weights: tf.Tensor, n: number): tf.Tensor {
  return n === 1 ? weights : tf.tile(weights, [n, 1, 1]);
}

/** Row i: what each input place contributes to output place i. PyTorch's windows: floor(i H / O) to ceil((i + 1) H / O). */
function weightRows(op: AdaptiveAvgPoolOp, h: number, w: number): number[][] {
  const share = (extent: number, places: number): number[][] =>
    Array.from({ length: places }, (_place, i) => {
      const from = Math.floor((i * extent) / places);
      const to = Math.ceil(((i + 1) * extent) / places);
      return Array.from({ length: extent }, (_element, j) => (j >= from && j < to ? 1 / (to - from) : 0));
    });
  const down = share(h, op.output[0]);
  const along = share(w, op.output[1]);
  return down.flatMap((vertical) =>
    along.map((horizontal) => vertical.flatMap((a) => horizontal.map((b) => a * b))),
  );
}
