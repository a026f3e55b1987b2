import type * as tf from '@tensorflow/tfjs-core';
import type { BatchNormOp } from '../../../../engine/ops/batch-norm.ts';
import { batchNormKernel } from '../batch-norm.ts';
import { type Kernel, kept, type RunningStatistics } from '../kernel.ts';
import { add, flag, multiply, nothing, real, reshape, run, runAll, scalar, text } from './run.ts';

/** Outputs of FusedBatchNormV3; the last three are for its gradient: on the processor the mean, the biased variance, nothing. */
const FORWARD_OUTPUTS = 6;
const SAVED_MEAN = 3;
const SAVED_VARIANCE = 4;
/** Gradients of input, scale and shift, and two that are empty. */
const BACKWARD_OUTPUTS = 5;

const attributesOf = (op: BatchNormOp) => [
  real('epsilon', op.epsilon),
  text('data_format', 'NHWC'),
  flag('is_training', true),
];

/** As batch-norm.ts, one operation a direction. */
export const tensorflowBatchNorm: Kernel<BatchNormOp> & {
  readonly statistics: RunningStatistics<BatchNormOp>;
} = {
  ...batchNormKernel,
  forward({ op, inputs, parameters }) {
    const x = kept(inputs[0], 'its input');
    const [scale, shift] = [kept(parameters[0], 'its scale'), kept(parameters[1], 'its shift')];
    const given = [asImage(x), scale, shift, nothing(), nothing()];
    const outputs = runAll('FusedBatchNormV3', given, FORWARD_OUTPUTS, attributesOf(op));
    return {
      output: alike(kept(outputs[0], 'its output'), x),
      aux: [kept(outputs[SAVED_MEAN], 'its mean'), kept(outputs[SAVED_VARIANCE], 'its variance')],
    };
  },
  backward({ op, gradient, inputs, aux, parameters, wants }) {
    const x = asImage(kept(inputs[0], 'its input'));
    const [mean, variance] = [kept(aux[0], 'its mean'), kept(aux[1], 'its variance')];
    const given = [asImage(gradient), x, kept(parameters[0], 'its scale'), mean, variance, nothing()];
    const outputs = runAll('FusedBatchNormGradV3', given, BACKWARD_OUTPUTS, attributesOf(op));
    const [dx, dScale, dShift] = outputs.map((output) => kept(output, 'a gradient')) as [
      tf.Tensor,
      tf.Tensor,
      tf.Tensor,
    ];
    return { inputs: [wants[0] === true ? alike(dx, gradient) : null], parameters: [dScale, dShift] };
  },
  statistics: {
    ...batchNormKernel.statistics!,
    update(op, aux, inputs, old) {
      const [n = 1, , ...places] = inputs[0] ?? [];
      const count = places.reduce((product, extent) => product * extent, n);
      const unbiased = count > 1 ? count / (count - 1) : 1;
      return old.map((value, i) => {
        const share = op.momentum * (i === 1 ? unbiased : 1);
        const fresh = multiply(kept(aux[i], 'its statistics'), scalar(share));
        return run(add(multiply(value, scalar(1 - op.momentum)), fresh));
      });
    },
  },
};

function asImage(x: tf.Tensor): tf.Tensor {
  const [n = 1, c = 1] = x.shape;
  return x.rank === 4 ? x : run(reshape(x, [n, 1, 1, c]));
}

function alike(x: tf.Tensor, other: tf.Tensor): tf.Tensor {
  return other.rank === 4 ? x : run(reshape(x, other.shape));
}
