import * as tf from '@tensorflow/tfjs-core';
import type { PoolOp } from '../../../engine/ops/pool.ts';
import { type Kernel, kept, NO_PARAMETERS, runKernel } from './kernel.ts';
import { backendTraits } from './traits.ts';
import { explicitPadding, isPadded, reachPadding } from './window.ts';

/** Value of padding that is added before the kernel. */
const LOWEST = -3.4028234663852886e38;

/** Keeps its input and output: the kernel searches the maxima again instead of storing their indices. */
export const maxPoolKernel: Kernel<PoolOp> = {
  parameters: NO_PARAMETERS,
  forward({ op, inputs, outputShape }) {
    const x = kept(inputs[0], 'its input');
    const [n = 1, h = 1, w = 1, c = 1] = x.shape;
    const padding = paddingOf(op, [n, c, h, w], outputShape);
    const output = runKernel('MaxPool', { x: padding.before(x) }, attributes(op, padding.pad));
    return { output, aux: [] };
  },
  backward({ op, gradient, inputs, output, inputShapes, outputShape, wants }) {
    if (wants[0] !== true) return { inputs: [null], parameters: [] };
    const x = kept(inputs[0], 'its input');
    const padding = paddingOf(op, inputShapes[0] ?? [], outputShape);
    const dx = runKernel(
      'MaxPoolGrad',
      { dy: gradient, input: padding.before(x), output: kept(output, 'its output') },
      attributes(op, padding.pad),
    );
    return { inputs: [padding.after(dx, x.shape)], parameters: [] };
  },
};

function attributes(op: PoolOp, pad: unknown): object {
  return { filterSize: [...op.kernel], strides: [...op.stride], pad };
}

/** Attributes of the kernel, and the work before and after it. */
function paddingOf(op: PoolOp, input: readonly number[], output: readonly number[]) {
  const reach = reachPadding(op, input, output);
  const pad = explicitPadding(reach);
  if (!backendTraits().padsFirst) {
    return { pad, before: (x: tf.Tensor) => x, after: (dx: tf.Tensor) => dx };
  }
  const [top, , left] = reach;
  const padded = isPadded(reach);
  return {
    pad: 'valid',
    before: (x: tf.Tensor) => (padded ? tf.pad(x, pad, LOWEST) : x),
    after: (dx: tf.Tensor, shape: number[]) => (padded ? tf.slice(dx, [0, top, left, 0], shape) : dx),
  };
}
