import type { GraphBuilder, VertexHandle } from '../graph/builder.ts';
import {
  adaptiveAvgPool,
  avgPool,
  batchNorm,
  CONCAT,
  conv2d,
  dropout,
  FLATTEN,
  linear,
  maxPool,
  RELU_INPLACE,
} from '../ops/make.ts';
import { IMAGENET_CLASSES, type Model, type Settings } from './model.ts';

/**
 * DenseNet (Huang et al. 2017) as torchvision defines it; ids are torchvision's module paths.
 *
 * Departure: torchvision concatenates all earlier features again in each dense layer. Here, as the papers
 * draw it, each layer ends in a concatenation (`cat`) of its input with its new channels, so that the
 * layers form a chain. The tensors that are kept, and their bytes, are the same.
 */
interface Plan {
  readonly depth: number;
  readonly growth: number;
  readonly stem: number;
  readonly blocks: readonly [number, number, number, number];
  readonly batch: number;
}

const PLANS: readonly Plan[] = [
  { depth: 121, growth: 32, stem: 64, blocks: [6, 12, 24, 16], batch: 32 },
  { depth: 161, growth: 48, stem: 96, blocks: [6, 12, 36, 24], batch: 16 },
  { depth: 169, growth: 32, stem: 64, blocks: [6, 12, 32, 32], batch: 32 },
  { depth: 201, growth: 32, stem: 64, blocks: [6, 12, 48, 32], batch: 16 },
];

const BOTTLENECK = 4;

export const DENSENETS: readonly Model[] = PLANS.map((plan) => ({
  info: {
    name: `densenet${plan.depth}`,
    title: `DenseNet-${plan.depth}`,
    family: 'DenseNet',
    linear: false,
    defaultInput: 224,
    minInput: 29,
    inputMultiple: 1,
    defaultBatch: plan.batch,
    note: 'As torchvision defines it, the features of a block chained through concatenations.',
  },
  build: (b, settings) => buildDensenet(b, settings, plan),
}));

function buildDensenet(b: GraphBuilder, settings: Settings, plan: Plan): void {
  const { batch, input } = settings;
  let x = b.input('input', [batch, 3, input, input]);
  x = b.add('features.conv0', conv2d(plan.stem, 7, { stride: 2, padding: 3, bias: false }), [x]);
  x = normRelu(b, 'features.norm0', 'features.relu0', x);
  x = b.add('features.pool0', maxPool(3, { stride: 2, padding: 1 }), [x]);
  plan.blocks.forEach((layers, block) => {
    for (let i = 0; i < layers; i++) {
      x = denseLayer(
        b,
        `features.denseblock${block + 1}.denselayer${i + 1}`,
        x,
        plan.growth,
        settings.dropout,
      );
    }
    if (block < plan.blocks.length - 1) x = transition(b, `features.transition${block + 1}`, x);
  });
  x = normRelu(b, 'features.norm5', 'relu', x);
  x = b.add('avgpool', adaptiveAvgPool(1), [x]);
  x = b.add('flatten', FLATTEN, [x]);
  b.add('classifier', linear(IMAGENET_CLASSES), [x], 'join');
}

function normRelu(b: GraphBuilder, norm: string, relu: string, x: VertexHandle): VertexHandle {
  return b.add(relu, RELU_INPLACE, [b.add(norm, batchNorm(), [x])], 'join');
}

function denseLayer(
  b: GraphBuilder,
  id: string,
  x: VertexHandle,
  growth: number,
  rate: number,
): VertexHandle {
  let y = normRelu(b, `${id}.norm1`, `${id}.relu1`, x);
  y = b.add(`${id}.conv1`, conv2d(BOTTLENECK * growth, 1, { bias: false }), [y]);
  y = normRelu(b, `${id}.norm2`, `${id}.relu2`, y);
  y = b.add(`${id}.conv2`, conv2d(growth, 3, { padding: 1, bias: false }), [y]);
  // torchvision calls dropout only at a rate above 0.
  if (rate > 0) y = b.add(`${id}.dropout`, dropout(rate), [y], 'join');
  return b.add(`${id}.cat`, CONCAT, [x, y]);
}

function transition(b: GraphBuilder, id: string, x: VertexHandle): VertexHandle {
  const channels = b.shapeOf(x)[1] ?? 0;
  let y = normRelu(b, `${id}.norm`, `${id}.relu`, x);
  y = b.add(`${id}.conv`, conv2d(Math.floor(channels / 2), 1, { bias: false }), [y]);
  return b.add(`${id}.pool`, avgPool(2), [y]);
}
