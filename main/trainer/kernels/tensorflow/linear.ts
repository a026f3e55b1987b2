import type { LinearOp } from '../../../../engine/ops/linear.ts';
import type { TiedLinearOp } from '../../../../engine/ops/tied-linear.ts';
import { type BackwardCall, type ForwardCall, type Kernel, kept } from '../kernel.ts';
import { linearKernel } from '../linear.ts';
import { tiedLinearKernel } from '../tied-linear.ts';
import { backendTraits } from '../traits.ts';
import { asRows, columnSums, part, product, reshape, rows, run } from './run.ts';

/**
 * Up to these the fused product is as fast as TensorFlow's, which keeps more of both sides in a processor's caches
 * (bench trainer): elements of the weight, and rows that it is multiplied with.
 */
const FUSED_WEIGHT = 2 ** 18;
const FUSED_ROWS = 2 ** 12;

function fuses({ inputs, parameters }: Pick<ForwardCall | BackwardCall, 'inputs' | 'parameters'>): boolean {
  const [x, weight] = [kept(inputs[0], 'its input'), kept(parameters[0], 'its weight')];
  const rows = x.size / (x.shape.at(-1) ?? 1);
  return backendTraits().fuses && weight.size <= FUSED_WEIGHT && rows <= FUSED_ROWS;
}

/** linear.ts, its products reading what is transposed where it lies. */
export const tensorflowLinear: Kernel<LinearOp> = {
  ...linearKernel,
  forward(call) {
    if (fuses(call)) return linearKernel.forward(call);
    const { op, inputs, outputShape, parameters } = call;
    const y = product(asRows(kept(inputs[0], 'its input')), kept(parameters[0], 'its weight'));
    const output = op.bias ? part('BiasAdd', [y, kept(parameters[1], 'its bias')]) : y;
    return { output: run(reshape(output, outputShape)), aux: [] };
  },
  backward(call) {
    if (fuses(call)) return linearKernel.backward(call);
    const { op, gradient, inputs, inputShapes, parameters, wants } = call;
    const dy = rows(gradient);
    const weightGradient = run(product(asRows(kept(inputs[0], 'its input')), dy, true));
    const weight = kept(parameters[0], 'its weight');
    const dx =
      wants[0] === true ? run(reshape(product(dy, weight, false, true), inputShapes[0] ?? [])) : null;
    return { inputs: [dx], parameters: op.bias ? [weightGradient, run(columnSums(dy))] : [weightGradient] };
  },
};

/** tied-linear.ts in the same way. */
export const tensorflowTiedLinear: Kernel<TiedLinearOp> = {
  ...tiedLinearKernel,
  forward(call) {
    if (fuses(call)) return tiedLinearKernel.forward(call);
    const { inputs, outputShape, parameters } = call;
    const table = kept(parameters[0], 'the table');
    const y = product(asRows(kept(inputs[0], 'its input')), table, false, true);
    return { output: run(reshape(y, outputShape)), aux: [] };
  },
  backward(call) {
    if (fuses(call)) return tiedLinearKernel.backward(call);
    const { gradient, inputs, inputShapes, parameters, wants } = call;
    const dy = rows(gradient);
    const tableGradient = run(product(dy, asRows(kept(inputs[0], 'its input')), true));
    const table = kept(parameters[0], 'the table');
    const dx = wants[0] === true ? run(reshape(product(dy, table), inputShapes[0] ?? [])) : null;
    return { inputs: [dx], parameters: [tableGradient] };
  },
};
