import type { GraphBuilder } from '../graph/builder.ts';
import { adaptiveAvgPool, conv2d, dropout, FLATTEN, linear, maxPool, RELU_INPLACE } from '../ops/make.ts';
import { IMAGENET_CLASSES, type Model, type Settings } from './model.ts';

/**
 * VGG without batch norm (Simonyan & Zisserman 2015) as torchvision defines it; ids are torchvision's
 * module paths. In the papers' view flatten, linear, ReLU and dropout share a vertex, and the average
 * pool has none where it changes nothing (7x7 to 7x7, the case at 224x224); elsewhere it is a vertex.
 */
interface Plan {
  readonly depth: number;
  /** Convolutions before each of the five max pools. */
  readonly counts: readonly number[];
}

const PLANS: readonly Plan[] = [
  { depth: 11, counts: [1, 1, 2, 2, 2] },
  { depth: 13, counts: [2, 2, 2, 2, 2] },
  { depth: 16, counts: [2, 2, 3, 3, 3] },
  { depth: 19, counts: [2, 2, 4, 4, 4] },
];

const CHANNELS = [64, 128, 256, 512, 512];
const POOLED = 7;

export const VGGS: readonly Model[] = PLANS.map((plan) => ({
  info: {
    name: `vgg${plan.depth}`,
    title: `VGG-${plan.depth}`,
    family: 'VGG',
    linear: true,
    defaultInput: 224,
    minInput: 32,
    inputMultiple: 1,
    defaultBatch: 64,
    note: 'As torchvision defines it, without batch norm.',
  },
  build: (b, settings) => buildVgg(b, settings, plan),
}));

function buildVgg(b: GraphBuilder, { batch, input, dropout: rate }: Settings, plan: Plan): void {
  let x = b.input('input', [batch, 3, input, input]);
  let index = 0;
  plan.counts.forEach((count, stage) => {
    for (let i = 0; i < count; i++) {
      x = b.add(`features.${index++}`, conv2d(CHANNELS[stage] ?? 0, 3, { padding: 1 }), [x]);
      x = b.add(`features.${index++}`, RELU_INPLACE, [x], 'join');
    }
    x = b.add(`features.${index++}`, maxPool(2), [x]);
  });
  const [, , height, width] = b.shapeOf(x);
  const changesNothing = height === POOLED && width === POOLED;
  x = b.add('avgpool', adaptiveAvgPool(POOLED), [x], changesNothing ? 'edge' : 'own');
  x = b.add('flatten', FLATTEN, [x]);
  x = b.add('classifier.0', linear(4096), [x], 'join');
  x = b.add('classifier.1', RELU_INPLACE, [x], 'join');
  x = b.add('classifier.2', dropout(rate), [x], 'join');
  x = b.add('classifier.3', linear(4096), [x]);
  x = b.add('classifier.4', RELU_INPLACE, [x], 'join');
  x = b.add('classifier.5', dropout(rate), [x], 'join');
  b.add('classifier.6', linear(IMAGENET_CLASSES), [x]);
}
