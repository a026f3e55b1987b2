import * as tf from '@tensorflow/tfjs-core';
import type { GeluOp, Relu6Op, ScaleOp, SigmoidOp, TanhOp } from '../../../engine/ops/elementwise.ts';
import { type Kernel, kept, NO_PARAMETERS, runKernel } from './kernel.ts';
import { backendTraits } from './traits.ts';

export const HALF_ROOT = Math.SQRT1_2;
/** Density of the normal distribution at 0. */
export const DENSITY = 1 / Math.sqrt(2 * Math.PI);
/** GPT-2's approximation of the error function: tanh(SLOPE (x + CUBE x^3)). */
export const SLOPE = Math.sqrt(2 / Math.PI);
export const CUBE = 0.044715;

/** x times the share of a normal distribution below x. */
export const geluKernel: Kernel<GeluOp> = {
  parameters: NO_PARAMETERS,
  forward({ op, inputs }) {
    const x = kept(inputs[0], 'its input');
    if (op.tanh && backendTraits().fuses) return { output: runKernel('ZigzagGelu', { x }, {}), aux: [] };
    return { output: tf.mul(x, op.tanh ? share(curve(x)) : share(tf.erf(tf.mul(x, HALF_ROOT)))), aux: [] };
  },
  /** With share s(x): s(x) + x s'(x). */
  backward({ op, gradient, inputs, wants }) {
    if (wants[0] !== true) return { inputs: [null], parameters: [] };
    const x = kept(inputs[0], 'its input');
    if (op.tanh && backendTraits().fuses) {
      return { inputs: [runKernel('ZigzagGeluGradient', { dy: gradient, x }, {})], parameters: [] };
    }
    const square = tf.square(x);
    if (!op.tanh) {
      const density = tf.mul(tf.exp(tf.mul(square, -0.5)), DENSITY);
      const slope = tf.add(share(tf.erf(tf.mul(x, HALF_ROOT))), tf.mul(x, density));
      return { inputs: [tf.mul(gradient, slope)], parameters: [] };
    }
    const t = curve(x);
    const inner = tf.add(tf.mul(square, 3 * CUBE * SLOPE), SLOPE);
    const steep = tf.mul(tf.mul(tf.mul(x, 0.5), tf.sub(1, tf.square(t))), inner);
    return { inputs: [tf.mul(gradient, tf.add(share(t), steep))], parameters: [] };
  },
};

function curve(x: tf.Tensor): tf.Tensor {
  return tf.tanh(tf.mul(tf.add(x, tf.mul(tf.mul(tf.square(x), x), CUBE)), SLOPE));
}

/** From [-1, 1] to [0, 1]. */
function share(x: tf.Tensor): tf.Tensor {
  return tf.add(tf.mul(x, 0.5), 0.5);
}

export const tanhKernel: Kernel<TanhOp> = {
  parameters: NO_PARAMETERS,
  forward: ({ inputs }) => ({ output: tf.tanh(kept(inputs[0], 'its input')), aux: [] }),
  backward({ gradient, output, wants }) {
    if (wants[0] !== true) return { inputs: [null], parameters: [] };
    return {
      inputs: [tf.mul(gradient, tf.sub(1, tf.square(kept(output, 'its output'))))],
      parameters: [],
    };
  },
};

export const sigmoidKernel: Kernel<SigmoidOp> = {
  parameters: NO_PARAMETERS,
  forward: ({ inputs }) => ({ output: tf.sigmoid(kept(inputs[0], 'its input')), aux: [] }),
  backward({ gradient, output, wants }) {
    if (wants[0] !== true) return { inputs: [null], parameters: [] };
    const y = kept(output, 'its output');
    return { inputs: [tf.mul(gradient, tf.mul(y, tf.sub(1, y)))], parameters: [] };
  },
};

export const relu6Kernel: Kernel<Relu6Op> = {
  parameters: NO_PARAMETERS,
  forward: ({ inputs }) => ({ output: tf.clipByValue(kept(inputs[0], 'its input'), 0, 6), aux: [] }),
  backward({ gradient, output, wants }) {
    if (wants[0] !== true) return { inputs: [null], parameters: [] };
    // The input is strictly between the limits exactly where the output is.
    const y = kept(output, 'its output');
    const passes = tf.mul(tf.step(y), tf.step(tf.sub(6, y)));
    return { inputs: [tf.mul(gradient, passes)], parameters: [] };
  },
};

export const scaleKernel: Kernel<ScaleOp> = {
  parameters: NO_PARAMETERS,
  forward: ({ op, inputs }) => ({ output: over(kept(inputs[0], 'its input'), op.divisor), aux: [] }),
  backward: ({ op, gradient, wants }) => ({
    inputs: [wants[0] === true ? over(gradient, op.divisor) : null],
    parameters: [],
  }),
};

function over(x: tf.Tensor, by: number): tf.Tensor {
  return backendTraits().fuses ? runKernel('ZigzagDivide', { x }, { by }) : tf.div(x, by);
}
