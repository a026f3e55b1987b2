import * as tf from '@tensorflow/tfjs-core';
import type { Conv2dOp } from '../../../engine/ops/conv2d.ts';
import type { Shape } from '../../../engine/ops/definition.ts';
import { imageShape } from '../layout.ts';
import { channelSum } from './channels.ts';
import { filterGradient, inputGradient, runConvolution } from './convolution.ts';
import { type Kernel, kept, type StationarySpec } from './kernel.ts';
import { explicitPadding, reachPadding } from './window.ts';

/**
 * Convolution, plain, depthwise (as many groups as channels) or grouped. The filter is
 * [height, width, input channels of a group, output channels]; of a depthwise one
 * [height, width, channels, 1], which is the same order of bytes. He initialisation by fan-in.
 */
export const conv2dKernel: Kernel<Conv2dOp> = {
  parameters(op, inputs) {
    const perGroup = (inputs[0]?.[1] ?? 1) / op.groups;
    const [height, width] = op.kernel;
    const filter: StationarySpec = {
      shape: isDepthwise(op, inputs[0] ?? [])
        ? [height, width, op.groups, 1]
        : [height, width, perGroup, op.outChannels],
      initial: { normal: Math.sqrt(2 / (height * width * perGroup)) },
    };
    return op.bias ? [filter, { shape: [op.outChannels], initial: 'zeros' }] : [filter];
  },
  forward({ op, inputs, outputShape, parameters }) {
    const x = kept(inputs[0], 'its input');
    const filter = kept(parameters[0], 'its filter');
    const [n = 1, h = 1, w = 1, c = 1] = x.shape;
    const geometry = geometryOf(op, [n, c, h, w], outputShape);
    const parts = partsOf(op, [n, c, h, w]);
    const outputs = parts.map((part) =>
      runConvolution(channels(x, part.input), channels(filter, part.output), geometry),
    );
    const output = outputs.length === 1 ? kept(outputs[0], 'an output') : tf.concat(outputs, -1);
    return { output: op.bias ? tf.add(output, kept(parameters[1], 'its bias')) : output, aux: [] };
  },
  backward({ op, gradient, inputs, inputShapes, outputShape, parameters, wants }) {
    const x = kept(inputs[0], 'its input');
    const filter = kept(parameters[0], 'its filter');
    const inputShape = inputShapes[0] ?? [];
    const geometry = geometryOf(op, inputShape, outputShape);
    const parts = partsOf(op, inputShape);
    const filterGradients: tf.Tensor[] = [];
    const inputGradients: tf.Tensor[] = [];
    for (const part of parts) {
      const dy = channels(gradient, part.output);
      const partFilter = channels(filter, part.output);
      const partX = channels(x, part.input);
      filterGradients.push(filterGradient(partX, dy, partFilter.shape, geometry));
      if (wants[0] !== true) continue;
      const [n, h, w] = imageShape(inputShape);
      inputGradients.push(inputGradient(dy, partFilter, [n, h, w, partX.shape[3] ?? 1], geometry));
    }
    const joined = (list: tf.Tensor[]): tf.Tensor =>
      list.length === 1 ? kept(list[0], 'a gradient') : tf.concat(list, -1);
    const parameterGradients = [joined(filterGradients)];
    if (op.bias) parameterGradients.push(channelSum(gradient));
    return { inputs: [wants[0] === true ? joined(inputGradients) : null], parameters: parameterGradients };
  },
};

function isDepthwise(op: Conv2dOp, input: Shape): boolean {
  return op.groups > 1 && op.groups === input[1] && op.outChannels === op.groups;
}

function geometryOf(op: Conv2dOp, input: Shape, output: Shape) {
  return {
    depthwise: isDepthwise(op, input),
    stride: op.stride,
    dilation: op.dilation,
    padding: explicitPadding(reachPadding(op, input, output, op.dilation)),
  };
}

type Range = readonly [from: number, to: number] | null;

/** The groups as ranges of the last axis; one part without ranges if a single kernel computes all. */
function partsOf(op: Conv2dOp, input: Shape): readonly { readonly input: Range; readonly output: Range }[] {
  if (op.groups === 1 || isDepthwise(op, input)) return [{ input: null, output: null }];
  const ins = (input[1] ?? 1) / op.groups;
  const outs = op.outChannels / op.groups;
  return Array.from({ length: op.groups }, (_group, g) => ({
    input: [g * ins, (g + 1) * ins] as const,
    output: [g * outs, (g + 1) * outs] as const,
  }));
}

function channels(x: tf.Tensor, range: Range): tf.Tensor {
  if (range === null) return x;
  const last = x.rank - 1;
  return tf.slice(
    x,
    x.shape.map((_extent, axis) => (axis === last ? range[0] : 0)),
    x.shape.map((extent, axis) => (axis === last ? range[1] - range[0] : extent)),
  );
}
