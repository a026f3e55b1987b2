import type { GraphBuilder, VertexHandle } from '../graph/builder.ts';
import { ADD, adaptiveAvgPool, batchNorm, conv2d, FLATTEN, linear, RELU } from '../ops/make.ts';
import { CIFAR_CLASSES, type Model } from './model.ts';

/**
 * The ResNet for CIFAR-10 (He et al. 2016, section 4.2) of depth 6n + 2 as TensorFlow's official example
 * builds it, which article 002 measures: its version 2, batch norm and ReLU before each convolution, a
 * projection at the start of each of the three layers of n blocks. TensorFlow works nowhere in place.
 */

export const MIN_CIFAR_DEPTH = 8;
export const MAX_CIFAR_DEPTH = 2000;
/** Depths of the official example, and the deepest that its authors trained on CIFAR-10 at that time. */
const LISTED = [32, 110] as const;
const WIDTHS = [16, 32, 64] as const;

/** The depths are those of 6n + 2 layers. */
export const isCifarDepth = (depth: number): boolean =>
  depth >= MIN_CIFAR_DEPTH && depth <= MAX_CIFAR_DEPTH && (depth - 2) % 6 === 0;

/**
 * @param depth 6n + 2
 * @param norm false leaves batch norm out, as the benchmark of article 002 can
 */
export function cifarResnet(depth: number, norm = true): Model {
  const before = norm ? batchNormRelu : relu;
  return {
    info: {
      name: `cifar-resnet-${depth}`,
      title: `CIFAR ResNet-${depth}`,
      family: 'ResNet',
      linear: false,
      defaultInput: 32,
      minInput: 1,
      inputMultiple: 1,
      defaultBatch: 1280,
      note: `TensorFlow’s official CIFAR-10 example; any depth 6n + 2 from ${MIN_CIFAR_DEPTH} to ${MAX_CIFAR_DEPTH} works.`,
    },
    generalRoles: true,
    build(b, { batch, input }) {
      let x = b.input('input', [batch, 3, input, input]);
      x = b.add('initial', conv2d(WIDTHS[0], 3, { padding: 1, bias: false }), [x]);
      WIDTHS.forEach((width, layer) => {
        for (let i = 0; i < (depth - 2) / 6; i++) {
          x = block(b, `layer${layer + 1}.${i}`, x, width, layer, i, before);
        }
      });
      x = before(b, 'final', x);
      x = b.add('avgpool', adaptiveAvgPool(1), [x]);
      x = b.add('flatten', FLATTEN, [x]);
      b.add('dense', linear(CIFAR_CLASSES), [x]);
    },
  };
}

export const CIFAR_RESNETS: readonly Model[] = LISTED.map((depth) => cifarResnet(depth));

function block(
  b: GraphBuilder,
  id: string,
  x: VertexHandle,
  width: number,
  layer: number,
  i: number,
  before: typeof relu,
) {
  const stride = layer > 0 && i === 0 ? 2 : 1;
  const first = before(b, `${id}.1`, x);
  // The projection sees what batch norm and ReLU have made of the input.
  const shortcut =
    i === 0 ? b.add(`${id}.projection`, conv2d(width, 1, { stride, bias: false }), [first]) : x;
  let y = b.add(`${id}.conv1`, conv2d(width, 3, { stride, padding: 1, bias: false }), [first]);
  y = before(b, `${id}.2`, y);
  y = b.add(`${id}.conv2`, conv2d(width, 3, { padding: 1, bias: false }), [y]);
  return b.add(`${id}.add`, ADD, [y, shortcut]);
}

function relu(b: GraphBuilder, id: string, x: VertexHandle): VertexHandle {
  return b.add(`${id}.relu`, RELU, [x]);
}

function batchNormRelu(b: GraphBuilder, id: string, x: VertexHandle): VertexHandle {
  return relu(b, id, b.add(`${id}.bn`, batchNorm(), [x]));
}
