import * as tf from '@tensorflow/tfjs-core';
import type { ConvTranspose2dOp } from '../../../engine/ops/conv-transpose2d.ts';
import { imageShape } from '../layout.ts';
import { channelSum } from './channels.ts';
import { filterGradient, inputGradient, runConvolution } from './convolution.ts';
import { type Kernel, kept, type StationarySpec } from './kernel.ts';
import { explicitPadding } from './window.ts';

/**
 * The input gradient of an unpadded convolution, as an operation of its own; its own input gradient is that
 * convolution. The filter is [height, width, output channels, input channels].
 */
export const convTranspose2dKernel: Kernel<ConvTranspose2dOp> = {
  parameters(op, inputs) {
    const channels = inputs[0]?.[1] ?? 1;
    const [height, width] = op.kernel;
    // How many inputs an output place sees, on the average.
    const seen = (channels * height * width) / (op.stride[0] * op.stride[1]);
    const filter: StationarySpec = {
      shape: [height, width, op.outChannels, channels],
      initial: { normal: Math.sqrt(2 / Math.max(1, seen)) },
    };
    return op.bias ? [filter, { shape: [op.outChannels], initial: 'zeros' }] : [filter];
  },
  forward({ op, inputs, outputShape, parameters }) {
    const x = kept(inputs[0], 'its input');
    const filter = kept(parameters[0], 'its filter');
    const output = inputGradient(x, filter, imageShape(outputShape), geometryOf(op));
    return { output: op.bias ? tf.add(output, kept(parameters[1], 'its bias')) : output, aux: [] };
  },
  backward({ op, gradient, inputs, parameters, wants }) {
    const filter = kept(parameters[0], 'its filter');
    const geometry = geometryOf(op);
    const x = kept(inputs[0], 'its input');
    const parameterGradients = [filterGradient(gradient, x, filter.shape, geometry)];
    if (op.bias) parameterGradients.push(channelSum(gradient));
    return {
      inputs: [wants[0] === true ? runConvolution(gradient, filter, geometry) : null],
      parameters: parameterGradients,
    };
  },
};

function geometryOf({ stride }: ConvTranspose2dOp) {
  return {
    depthwise: false,
    stride,
    dilation: [1, 1] as const,
    padding: explicitPadding([0, 0, 0, 0]),
  };
}
