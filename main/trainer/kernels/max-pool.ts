import type { PoolOp } from '../../../engine/ops/operation.ts';
import { type Kernel, kept, NO_PARAMETERS, runKernel } from './kernel.ts';
import { explicitPadding, reachPadding } from './window.ts';

/** Keeps its input and output: the kernel finds the maxima again instead of storing their places. */
export const maxPoolKernel: Kernel<PoolOp> = {
  parameters: NO_PARAMETERS,
  forward({ op, inputs, outputShape }) {
    const x = kept(inputs[0], 'its input');
    const [n = 1, h = 1, w = 1, c = 1] = x.shape;
    return { output: runKernel('MaxPool', { x }, attributes(op, [n, c, h, w], outputShape)), aux: [] };
  },
  backward({ op, gradient, inputs, output, inputShapes, outputShape, wants }) {
    if (wants[0] !== true) return { inputs: [null], parameters: [] };
    const dx = runKernel(
      'MaxPoolGrad',
      { dy: gradient, input: kept(inputs[0], 'its input'), output: kept(output, 'its output') },
      attributes(op, inputShapes[0] ?? [], outputShape),
    );
    return { inputs: [dx], parameters: [] };
  },
};

function attributes(op: PoolOp, input: readonly number[], output: readonly number[]): object {
  return {
    filterSize: [...op.kernel],
    strides: [...op.stride],
    pad: explicitPadding(reachPadding(op, input, output)),
  };
}
