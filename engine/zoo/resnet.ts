import type { GraphBuilder, VertexHandle } from '../graph/builder.ts';
import {
  ADD_INPLACE,
  adaptiveAvgPool,
  batchNorm,
  conv2d,
  FLATTEN,
  linear,
  maxPool,
  RELU_INPLACE,
} from '../ops/make.ts';
import { IMAGENET_CLASSES, type Model, type Settings } from './model.ts';

/**
 * ResNet (He et al. 2016) as torchvision defines it, stride in the 3x3 convolution of a bottleneck.
 * Ids are torchvision's module paths; a module called again gets `_1`, `_2`, and the sum is `add`.
 * In the papers' view the last batch norm of a block and that of its downsample branch lie on the edges
 * into the sum.
 */
interface Plan {
  readonly depth: number;
  readonly block: 'basic' | 'bottleneck';
  readonly layers: readonly [number, number, number, number];
  readonly batch: number;
}

const PLANS: readonly Plan[] = [
  { depth: 18, block: 'basic', layers: [2, 2, 2, 2], batch: 256 },
  { depth: 34, block: 'basic', layers: [3, 4, 6, 3], batch: 128 },
  { depth: 50, block: 'bottleneck', layers: [3, 4, 6, 3], batch: 64 },
  { depth: 101, block: 'bottleneck', layers: [3, 4, 23, 3], batch: 32 },
  { depth: 152, block: 'bottleneck', layers: [3, 8, 36, 3], batch: 16 },
];

const BOTTLENECK_EXPANSION = 4;

export const RESNETS: readonly Model[] = PLANS.map((plan) => ({
  info: {
    name: `resnet${plan.depth}`,
    title: `ResNet-${plan.depth}`,
    family: 'ResNet',
    linear: false,
    defaultInput: 224,
    minInput: 1,
    inputMultiple: 1,
    defaultBatch: plan.batch,
    note: 'As torchvision defines it.',
  },
  build: (b, settings) => buildResnet(b, settings, plan),
}));

function buildResnet(b: GraphBuilder, { batch, input }: Settings, plan: Plan): void {
  let x = b.input('input', [batch, 3, input, input]);
  x = b.add('conv1', conv2d(64, 7, { stride: 2, padding: 3, bias: false }), [x]);
  x = b.add('bn1', batchNorm(), [x]);
  x = b.add('relu', RELU_INPLACE, [x], 'join');
  x = b.add('maxpool', maxPool(3, { stride: 2, padding: 1 }), [x]);
  const block = plan.block === 'basic' ? basicBlock : bottleneck;
  plan.layers.forEach((count, layer) => {
    for (let i = 0; i < count; i++) {
      const stride = layer > 0 && i === 0 ? 2 : 1;
      x = block(b, `layer${layer + 1}.${i}`, x, 64 * 2 ** layer, stride);
    }
  });
  x = b.add('avgpool', adaptiveAvgPool(1), [x]);
  x = b.add('flatten', FLATTEN, [x]);
  b.add('fc', linear(IMAGENET_CLASSES), [x], 'join');
}

function basicBlock(b: GraphBuilder, id: string, x: VertexHandle, width: number, stride: number) {
  let y = b.add(`${id}.conv1`, conv2d(width, 3, { stride, padding: 1, bias: false }), [x]);
  y = b.add(`${id}.bn1`, batchNorm(), [y]);
  y = b.add(`${id}.relu`, RELU_INPLACE, [y], 'join');
  y = b.add(`${id}.conv2`, conv2d(width, 3, { padding: 1, bias: false }), [y]);
  y = b.add(`${id}.bn2`, batchNorm(), [y], 'edge');
  return joinBranches(b, id, x, y, width, stride, 'relu_1');
}

function bottleneck(b: GraphBuilder, id: string, x: VertexHandle, width: number, stride: number) {
  const outChannels = BOTTLENECK_EXPANSION * width;
  let y = b.add(`${id}.conv1`, conv2d(width, 1, { bias: false }), [x]);
  y = b.add(`${id}.bn1`, batchNorm(), [y]);
  y = b.add(`${id}.relu`, RELU_INPLACE, [y], 'join');
  y = b.add(`${id}.conv2`, conv2d(width, 3, { stride, padding: 1, bias: false }), [y]);
  y = b.add(`${id}.bn2`, batchNorm(), [y]);
  y = b.add(`${id}.relu_1`, RELU_INPLACE, [y], 'join');
  y = b.add(`${id}.conv3`, conv2d(outChannels, 1, { bias: false }), [y]);
  y = b.add(`${id}.bn3`, batchNorm(), [y], 'edge');
  return joinBranches(b, id, x, y, outChannels, stride, 'relu_2');
}

/** `out += identity`, the identity projected where shapes differ, then the ReLU. */
function joinBranches(
  b: GraphBuilder,
  id: string,
  x: VertexHandle,
  branch: VertexHandle,
  outChannels: number,
  stride: number,
  reluName: string,
): VertexHandle {
  let identity = x;
  if (stride !== 1 || b.shapeOf(x)[1] !== outChannels) {
    identity = b.add(`${id}.downsample.0`, conv2d(outChannels, 1, { stride, bias: false }), [x]);
    identity = b.add(`${id}.downsample.1`, batchNorm(), [identity], 'edge');
  }
  const sum = b.add(`${id}.add`, ADD_INPLACE, [branch, identity]);
  return b.add(`${id}.${reluName}`, RELU_INPLACE, [sum], 'join');
}
