import type { LinearOp } from '../../../../engine/ops/linear.ts';
import type { TiedLinearOp } from '../../../../engine/ops/tied-linear.ts';
import { type Kernel, kept } from '../kernel.ts';
import { linearKernel } from '../linear.ts';
import { tiedLinearKernel } from '../tied-linear.ts';
import { asRows, columnSums, part, product, reshape, rows, run } from './run.ts';

/** linear.ts, its products reading what is transposed where it lies. */
export const tensorflowLinear: Kernel<LinearOp> = {
  ...linearKernel,
  forward({ op, inputs, outputShape, parameters }) {
    const y = product(asRows(kept(inputs[0], 'its input')), kept(parameters[0], 'its weight'));
    const output = op.bias ? part('BiasAdd', [y, kept(parameters[1], 'its bias')]) : y;
    return { output: run(reshape(output, outputShape)), aux: [] };
  },
  backward({ op, gradient, inputs, inputShapes, parameters, wants }) {
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
  forward({ inputs, outputShape, parameters }) {
    const table = kept(parameters[0], 'the table');
    const y = product(asRows(kept(inputs[0], 'its input')), table, false, true);
    return { output: run(reshape(y, outputShape)), aux: [] };
  },
  backward({ gradient, inputs, inputShapes, parameters, wants }) {
    const dy = rows(gradient);
    const tableGradient = run(product(dy, asRows(kept(inputs[0], 'its input')), true));
    const table = kept(parameters[0], 'the table');
    const dx = wants[0] === true ? run(reshape(product(dy, table), inputShapes[0] ?? [])) : null;
    return { inputs: [dx], parameters: [tableGradient] };
  },
};
