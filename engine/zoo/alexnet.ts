import type { GraphBuilder, VertexHandle } from '../graph/builder.ts';
import { adaptiveAvgPool, conv2d, dropout, FLATTEN, linear, maxPool, RELU_INPLACE } from '../ops/make.ts';
import { IMAGENET_CLASSES, type Model, type Settings } from './model.ts';

/**
 * AlexNet in one column (Krizhevsky 2014) as torchvision defines it; ids are torchvision's module paths.
 * In the papers' view dropout, linear and ReLU share a vertex, as do the average pool and flatten.
 */
export const ALEXNET: Model = {
  info: {
    name: 'alexnet',
    title: 'AlexNet',
    family: 'AlexNet',
    linear: true,
    defaultInput: 224,
    minInput: 63,
    inputMultiple: 1,
    defaultBatch: 1024,
    note: 'As torchvision defines it.',
  },
  build: buildAlexnet,
};

function buildAlexnet(b: GraphBuilder, { batch, input, dropout: rate }: Settings): void {
  let x = b.input('input', [batch, 3, input, input]);
  let index = 0;
  const features = (): string => `features.${index++}`;
  const convRelu = (out: number, kernel: number, stride: number, padding: number): void => {
    x = b.add(features(), conv2d(out, kernel, { stride, padding }), [x]);
    x = b.add(features(), RELU_INPLACE, [x], 'join');
  };
  const pool = (): void => {
    x = b.add(features(), maxPool(3, { stride: 2 }), [x]);
  };
  convRelu(64, 11, 4, 2);
  pool();
  convRelu(192, 5, 1, 2);
  pool();
  convRelu(384, 3, 1, 1);
  convRelu(256, 3, 1, 1);
  convRelu(256, 3, 1, 1);
  pool();
  x = b.add('avgpool', adaptiveAvgPool(6), [x]);
  x = b.add('flatten', FLATTEN, [x], 'join');
  x = hidden(b, x, 0, rate);
  x = hidden(b, x, 3, rate);
  b.add('classifier.6', linear(IMAGENET_CLASSES), [x]);
}

function hidden(b: GraphBuilder, x: VertexHandle, index: number, rate: number): VertexHandle {
  let y = b.add(`classifier.${index}`, dropout(rate), [x]);
  y = b.add(`classifier.${index + 1}`, linear(4096), [y], 'join');
  return b.add(`classifier.${index + 2}`, RELU_INPLACE, [y], 'join');
}
