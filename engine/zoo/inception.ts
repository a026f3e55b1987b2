import type { GraphBuilder, VertexHandle } from '../graph/builder.ts';
import { adaptiveAvgPool, dropout, FLATTEN, linear, maxPool } from '../ops/make.ts';
import { basicConv, mixed5, mixed6, mixed6a, mixed7, mixed7a } from './inception-blocks.ts';
import { IMAGENET_CLASSES, type Model, type Settings } from './model.ts';

/**
 * Inception-v3 (Szegedy et al. 2016) as torchvision defines it, without the auxiliary head; ids are
 * torchvision's module paths, functional calls named after the function.
 */
export const INCEPTION_V3: Model = {
  info: {
    name: 'inceptionv3',
    title: 'Inception-v3',
    family: 'Inception',
    linear: false,
    defaultInput: 300,
    minInput: 75,
    inputMultiple: 1,
    defaultBatch: 32,
    note: "As torchvision defines it, without the auxiliary head; 300x300 is the papers' input.",
  },
  build: buildInception,
};

function buildInception(b: GraphBuilder, { batch, input, dropout: rate }: Settings): void {
  let x: VertexHandle = b.input('input', [batch, 3, input, input]);
  x = basicConv(b, 'Conv2d_1a_3x3', x, 32, 3, { stride: 2 });
  x = basicConv(b, 'Conv2d_2a_3x3', x, 32, 3);
  x = basicConv(b, 'Conv2d_2b_3x3', x, 64, 3, { padding: 1 });
  x = b.add('maxpool1', maxPool(3, { stride: 2 }), [x]);
  x = basicConv(b, 'Conv2d_3b_1x1', x, 80, 1);
  x = basicConv(b, 'Conv2d_4a_3x3', x, 192, 3);
  x = b.add('maxpool2', maxPool(3, { stride: 2 }), [x]);
  x = mixed5(b, 'Mixed_5b', x, 32);
  x = mixed5(b, 'Mixed_5c', x, 64);
  x = mixed5(b, 'Mixed_5d', x, 64);
  x = mixed6a(b, 'Mixed_6a', x);
  x = mixed6(b, 'Mixed_6b', x, 128);
  x = mixed6(b, 'Mixed_6c', x, 160);
  x = mixed6(b, 'Mixed_6d', x, 160);
  x = mixed6(b, 'Mixed_6e', x, 192);
  x = mixed7a(b, 'Mixed_7a', x);
  x = mixed7(b, 'Mixed_7b', x);
  x = mixed7(b, 'Mixed_7c', x);
  x = b.add('avgpool', adaptiveAvgPool(1), [x]);
  x = b.add('dropout', dropout(rate), [x]);
  x = b.add('flatten', FLATTEN, [x]);
  b.add('fc', linear(IMAGENET_CLASSES), [x], 'join');
}
