import type * as tf from '@tensorflow/tfjs-core';
import type { GeluOp } from '../../../../engine/ops/elementwise.ts';
import { CUBE, DENSITY, geluKernel, HALF_ROOT, SLOPE } from '../elementwise.ts';
import { type Kernel, kept } from '../kernel.ts';
import { backendTraits } from '../traits.ts';
import { add, last, multiply, part, run, scalar, subtract } from './run.ts';

/**
 * GELU in TensorFlow's own operations. Its approximation is x σ(2u) for u = SLOPE (x + CUBE x³), since
 * (1 + tanh u) / 2 = σ(2u): fewer passes than the same with tanh.
 */
export const tensorflowGelu: Kernel<GeluOp> = {
  ...geluKernel,
  forward(call) {
    const { op, inputs } = call;
    if (op.tanh && backendTraits().fuses) return geluKernel.forward(call);
    const x = kept(inputs[0], 'its input');
    const share = op.tanh ? part('Sigmoid', [curve(x)]) : shareBelow(x);
    return { output: run(multiply(x, share)), aux: [] };
  },
  backward(call) {
    const { op, gradient, inputs, wants } = call;
    if (op.tanh && backendTraits().fuses) return geluKernel.backward(call);
    if (wants[0] !== true) return { inputs: [null], parameters: [] };
    const x = kept(inputs[0], 'its input');
    const slope = op.tanh ? approximateSlope(x) : exactSlope(x);
    return { inputs: [run(multiply(gradient, slope))], parameters: [] };
  },
};

/** 2 SLOPE (x + CUBE x³) */
function curve(x: tf.Tensor) {
  const bend = multiply(part('Square', [x]), scalar(2 * SLOPE * CUBE));
  return multiply(x, add(bend, scalar(2 * SLOPE)));
}

/** σ(c) + x c' σ'(c), where x c' = 3 c - 4 SLOPE x. */
function approximateSlope(x: tf.Tensor) {
  const c = run(curve(x));
  const share = run(part('Sigmoid', [c]));
  const steep = subtract(multiply(last(c), scalar(3)), multiply(x, scalar(4 * SLOPE)));
  return add(part('SigmoidGrad', [share, steep]), last(share));
}

/** Share of a normal distribution below x. */
function shareBelow(x: tf.Tensor) {
  const erf = part('Erf', [multiply(x, scalar(HALF_ROOT))]);
  return add(multiply(erf, scalar(0.5)), scalar(0.5));
}

function exactSlope(x: tf.Tensor) {
  const exponent = multiply(part('Square', [x]), scalar(-0.5));
  const density = multiply(part('Exp', [exponent]), scalar(DENSITY));
  return add(multiply(x, density), shareBelow(x));
}
