import type { AttentionScoresOp, AttentionValuesOp } from '../../../../engine/ops/attention.ts';
import type { CausalMaskOp, ScaleOp, SoftmaxOp } from '../../../../engine/ops/elementwise.ts';
import { attentionScoresKernel, attentionValuesKernel } from '../attention.ts';
import { scaleKernel } from '../elementwise.ts';
import { type Kernel, kept } from '../kernel.ts';
import { causalMaskKernel, HIDDEN, softmaxKernel } from '../softmax.ts';
import {
  add,
  flag,
  integer,
  multiply,
  type Operand,
  part,
  product,
  run,
  scalar,
  subtract,
  vector,
} from './run.ts';

/** attention.ts in TensorFlow's own operations. */
export const tensorflowScores: Kernel<AttentionScoresOp> = {
  ...attentionScoresKernel,
  forward({ inputs }) {
    const [q, k] = [byHead(kept(inputs[0], 'its queries')), byHead(kept(inputs[1], 'its keys'))];
    return { output: run(product(q, k, false, true)), aux: [] };
  },
  backward({ gradient, inputs, wants }) {
    const dq = () => run(byHead(product(gradient, byHead(kept(inputs[1], 'its keys')))));
    const dk = () => run(byHead(product(gradient, byHead(kept(inputs[0], 'its queries')), true)));
    return { inputs: [wants[0] === true ? dq() : null, wants[1] === true ? dk() : null], parameters: [] };
  },
};

export const tensorflowValues: Kernel<AttentionValuesOp> = {
  ...attentionValuesKernel,
  forward({ inputs }) {
    const values = byHead(kept(inputs[1], 'its values'));
    return { output: run(byHead(product(kept(inputs[0], 'its probabilities'), values))), aux: [] };
  },
  backward({ gradient, inputs, wants }) {
    const dy = run(byHead(gradient));
    const dp = () => run(product(dy, byHead(kept(inputs[1], 'its values')), false, true));
    const dv = () => run(byHead(product(kept(inputs[0], 'its probabilities'), dy, true)));
    return { inputs: [wants[0] === true ? dp() : null, wants[1] === true ? dv() : null], parameters: [] };
  },
};

export const tensorflowScale: Kernel<ScaleOp> = {
  ...scaleKernel,
  forward: ({ op, inputs }) => ({
    output: run(part('RealDiv', [kept(inputs[0], 'its input'), scalar(op.divisor)])),
    aux: [],
  }),
  backward: ({ op, gradient, wants }) => ({
    inputs: [wants[0] === true ? run(part('RealDiv', [gradient, scalar(op.divisor)])) : null],
    parameters: [],
  }),
};

export const tensorflowCausalMask: Kernel<CausalMaskOp> = {
  ...causalMaskKernel,
  forward({ inputs }) {
    const scores = kept(inputs[0], 'its input');
    const all = filled(scores.shape.at(-1) ?? 1, HIDDEN);
    return { output: run(add(scores, subtract(all, upToDiagonal(all)))), aux: [] };
  },
  backward({ gradient, wants }) {
    if (wants[0] !== true) return { inputs: [null], parameters: [] };
    const seen = upToDiagonal(filled(gradient.shape.at(-1) ?? 1, 1));
    return { inputs: [run(multiply(gradient, seen))], parameters: [] };
  },
};

export const tensorflowSoftmax: Kernel<SoftmaxOp> = {
  ...softmaxKernel,
  forward: ({ inputs }) => ({ output: run(part('Softmax', [kept(inputs[0], 'its input')])), aux: [] }),
  backward({ gradient, output, wants }) {
    if (wants[0] !== true) return { inputs: [null], parameters: [] };
    const y = kept(output, 'its output');
    const sums = part('Sum', [multiply(gradient, y), integer(-1)], [flag('keep_dims', true)]);
    return { inputs: [run(multiply(y, subtract(gradient, sums)))], parameters: [] };
  },
};

/** [N, L, heads, each] to [N, heads, L, each], and back. */
function byHead(x: Operand) {
  return part('Transpose', [x, vector([0, 2, 1, 3])]);
}

/** [length, length] */
function filled(length: number, value: number) {
  return part('Fill', [vector([length, length]), scalar(value)]);
}

/** Zeros after the diagonal. */
function upToDiagonal(x: Operand) {
  return part('MatrixBandPart', [x, integer(-1), integer(0)]);
}
