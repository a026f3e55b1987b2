import type { GraphBuilder, VertexHandle } from '../graph/builder.ts';
import {
  avgPool,
  batchNorm,
  CONCAT,
  type ConvOptions,
  conv2d,
  IDENTITY,
  maxPool,
  RELU,
  SHIFT,
} from '../ops/make.ts';
import type { Pair } from '../ops/definition.ts';
import type { NasOperation } from './nas-genotypes.ts';

/** The candidate operations of the NAS cells. Every ReLU is out of place, no convolution has a bias. */

function conv(outChannels: number, kernel: number | Pair, options: ConvOptions = {}) {
  return conv2d(outChannels, kernel, { ...options, bias: false });
}

/** ReLU, 1x1 convolution, batch norm. */
export function reluConvNorm(b: GraphBuilder, id: string, x: VertexHandle, channels: number): VertexHandle {
  let y = b.add(`${id}.relu`, RELU, [x]);
  y = b.add(`${id}.conv`, conv(channels, 1), [y]);
  return b.add(`${id}.bn`, batchNorm(), [y]);
}

/** Two strided 1x1 convolutions, the second on the input shifted by a pixel, make one tensor of half the size. */
export function factorizedReduce(
  b: GraphBuilder,
  id: string,
  x: VertexHandle,
  channels: number,
): VertexHandle {
  const relu = b.add(`${id}.relu`, RELU, [x]);
  const first = b.add(`${id}.conv1`, conv(channels / 2, 1, { stride: 2 }), [relu]);
  const shifted = b.add(`${id}.shift`, SHIFT, [relu], 'edge');
  const second = b.add(`${id}.conv2`, conv(channels / 2, 1, { stride: 2 }), [shifted]);
  const both = b.add(`${id}.cat`, CONCAT, [first, second]);
  return b.add(`${id}.bn`, batchNorm(), [both]);
}

/** Adds one operation of a cell; `channels` in, `channels` out. */
export function addNasOperation(
  b: GraphBuilder,
  id: string,
  operation: NasOperation,
  x: VertexHandle,
  channels: number,
  stride: number,
): VertexHandle {
  switch (operation) {
    case 'avg_pool_3x3':
      return b.add(id, avgPool(3, { stride, padding: 1, countIncludePad: false }), [x]);
    case 'max_pool_3x3':
      return b.add(id, maxPool(3, { stride, padding: 1 }), [x]);
    case 'skip_connect':
      return stride === 1 ? b.add(id, IDENTITY, [x]) : factorizedReduce(b, id, x, channels);
    case 'sep_conv_3x3':
      return separableConv(b, id, x, channels, 3, stride);
    case 'sep_conv_5x5':
      return separableConv(b, id, x, channels, 5, stride);
    case 'sep_conv_7x7':
      return separableConv(b, id, x, channels, 7, stride);
    case 'dil_conv_3x3':
      return depthwiseStage(b, id, 0, x, channels, { kernel: 3, stride, padding: 2, dilation: 2 });
    case 'conv_7x1_1x7': {
      let y = b.add(`${id}.0`, RELU, [x]);
      y = b.add(`${id}.1`, conv(channels, [1, 7], { stride: [1, stride], padding: [0, 3] }), [y]);
      y = b.add(`${id}.2`, conv(channels, [7, 1], { stride: [stride, 1], padding: [3, 0] }), [y]);
      return b.add(`${id}.3`, batchNorm(), [y]);
    }
  }
}

function separableConv(
  b: GraphBuilder,
  id: string,
  x: VertexHandle,
  channels: number,
  kernel: number,
  stride: number,
): VertexHandle {
  const padding = (kernel - 1) / 2;
  const y = depthwiseStage(b, id, 0, x, channels, { kernel, stride, padding, dilation: 1 });
  return depthwiseStage(b, id, 4, y, channels, { kernel, stride: 1, padding, dilation: 1 });
}

/** ReLU, depthwise, pointwise, batch norm, numbered from `index` in the sequence `id`. */
function depthwiseStage(
  b: GraphBuilder,
  id: string,
  index: number,
  x: VertexHandle,
  channels: number,
  { kernel, ...options }: { kernel: number; stride: number; padding: number; dilation: number },
): VertexHandle {
  let y = b.add(`${id}.${index}`, RELU, [x]);
  y = b.add(`${id}.${index + 1}`, conv(channels, kernel, { ...options, groups: channels }), [y]);
  y = b.add(`${id}.${index + 2}`, conv(channels, 1), [y]);
  return b.add(`${id}.${index + 3}`, batchNorm(), [y]);
}
