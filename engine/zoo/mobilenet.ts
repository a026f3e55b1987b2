import type { GraphBuilder, VertexHandle } from '../graph/builder.ts';
import {
  ADD,
  adaptiveAvgPool,
  batchNorm,
  conv2d,
  dropout,
  FLATTEN,
  linear,
  RELU6_INPLACE,
} from '../ops/make.ts';
import { IMAGENET_CLASSES, type Model, type Settings } from './model.ts';

/** Expansion, channels, blocks, stride of the first (Sandler et al. 2018, table 2). */
const STAGES: readonly (readonly [number, number, number, number])[] = [
  [1, 16, 1, 1],
  [6, 24, 2, 2],
  [6, 32, 3, 2],
  [6, 64, 4, 2],
  [6, 96, 3, 1],
  [6, 160, 3, 2],
  [6, 320, 1, 1],
];

/** MobileNet-v2 as torchvision defines it; ids are torchvision's module paths, but for `add`. */
export const MOBILENET_V2: Model = {
  info: {
    name: 'mobilenet-v2',
    title: 'MobileNet-v2',
    family: 'MobileNet',
    linear: false,
    defaultInput: 224,
    minInput: 1,
    inputMultiple: 1,
    defaultBatch: 128,
    note: 'As torchvision defines it.',
  },
  generalRoles: true,
  build: (b, settings) => buildMobilenet(b, settings),
};

function buildMobilenet(b: GraphBuilder, { batch, input, dropout: rate }: Settings): void {
  let x = b.input('input', [batch, 3, input, input]);
  x = convNorm(b, 'features.0', x, 32, 3, { stride: 2 });
  let index = 1;
  for (const [expansion, channels, blocks, stride] of STAGES) {
    for (let i = 0; i < blocks; i++) {
      x = block(b, `features.${index++}`, x, expansion, channels, i === 0 ? stride : 1);
    }
  }
  x = convNorm(b, `features.${index}`, x, 1280, 1, {});
  x = b.add('avgpool', adaptiveAvgPool(1), [x]);
  x = b.add('flatten', FLATTEN, [x]);
  x = b.add('classifier.0', dropout(rate), [x]);
  b.add('classifier.1', linear(IMAGENET_CLASSES), [x]);
}

function convNorm(
  b: GraphBuilder,
  id: string,
  x: VertexHandle,
  channels: number,
  kernel: number,
  options: { readonly stride?: number; readonly groups?: number },
): VertexHandle {
  const conv = conv2d(channels, kernel, { ...options, padding: (kernel - 1) / 2, bias: false });
  const y = b.add(`${id}.1`, batchNorm(), [b.add(`${id}.0`, conv, [x])]);
  return b.add(`${id}.2`, RELU6_INPLACE, [y]);
}

/** Expand, depthwise, project; the sum where nothing changed size. */
function block(
  b: GraphBuilder,
  id: string,
  x: VertexHandle,
  expansion: number,
  channels: number,
  stride: number,
): VertexHandle {
  const from = b.shapeOf(x)[1] ?? 1;
  const hidden = from * expansion;
  let y = expansion === 1 ? x : convNorm(b, `${id}.expand`, x, hidden, 1, {});
  y = convNorm(b, `${id}.depthwise`, y, hidden, 3, { stride, groups: hidden });
  y = b.add(`${id}.project`, conv2d(channels, 1, { bias: false }), [y]);
  y = b.add(`${id}.norm`, batchNorm(), [y]);
  return stride === 1 && from === channels ? b.add(`${id}.add`, ADD, [x, y]) : y;
}
