import type { PoolOp } from '../../../../engine/ops/pool.ts';
import type { ReluOp } from '../../../../engine/ops/relu.ts';
import { type Kernel, kept } from '../kernel.ts';
import { maxPoolKernel } from '../max-pool.ts';
import { reluKernel } from '../relu.ts';
import { reachPadding } from '../window.ts';
import { part, run, text, whole } from './run.ts';

export const tensorflowRelu: Kernel<ReluOp> = {
  ...reluKernel,
  backward({ gradient, output, wants }) {
    if (wants[0] !== true) return { inputs: [null], parameters: [] };
    return { inputs: [run(part('ReluGrad', [gradient, kept(output, 'its output')]))], parameters: [] };
  },
};

function attributesOf(op: PoolOp, input: readonly number[], output: readonly number[]) {
  return [
    whole('ksize', [1, ...op.kernel, 1]),
    whole('strides', [1, ...op.stride, 1]),
    text('padding', 'EXPLICIT'),
    whole('explicit_paddings', [0, 0, ...reachPadding(op, input, output), 0, 0]),
  ];
}

/** As max-pool.ts, with the padding left to the operation. */
export const tensorflowMaxPool: Kernel<PoolOp> = {
  ...maxPoolKernel,
  forward({ op, inputs, outputShape }) {
    const x = kept(inputs[0], 'its input');
    const [n = 1, h = 1, w = 1, c = 1] = x.shape;
    return { output: run(part('MaxPool', [x], attributesOf(op, [n, c, h, w], outputShape))), aux: [] };
  },
  backward({ op, gradient, inputs, output, inputShapes, outputShape, wants }) {
    if (wants[0] !== true) return { inputs: [null], parameters: [] };
    const given = [kept(inputs[0], 'its input'), kept(output, 'its output'), gradient];
    const attributes = attributesOf(op, inputShapes[0] ?? [], outputShape);
    return { inputs: [run(part('MaxPoolGrad', given, attributes))], parameters: [] };
  },
};
