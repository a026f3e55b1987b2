import type { GraphBuilder, VertexHandle } from '../graph/builder.ts';
import {
  ADD,
  ADD_INPLACE,
  adaptiveAvgPool,
  CONCAT,
  conv2d,
  FLATTEN,
  linear,
  maxPool,
  RELU_INPLACE,
} from '../ops/make.ts';
import { IMAGENET_CLASSES, type Model, type Settings } from './model.ts';

/**
 * CustomNet. Paper 001 only draws the graph of its network of this name (35 vertices, where Chen's
 * algorithm does not apply), so this one is our own with the same purpose: two streams that meet in the
 * target alone, so that no vertex splits the graph, and inside them linear, branch and complicate
 * segments nested in each other.
 *
 *            wide: conv, pool, conv, [1x1 | 1x1 3x3], (bridge), conv, conv, classify
 *     input                                                                       add
 *            deep: conv, (residual), [(bridge) | 1x1], classify
 *
 * A bridge is the smallest complicate segment: five paths in the form of a Wheatstone bridge.
 */
export const CUSTOMNET: Model = {
  info: {
    name: 'customnet',
    title: 'CustomNet',
    family: 'Zigzag',
    linear: false,
    defaultInput: 224,
    minInput: 1,
    inputMultiple: 1,
    defaultBatch: 64,
    note: "Our own network in place of paper 001's, whose layers are not listed.",
  },
  build(b, { batch, input }: Settings) {
    const image = b.input('input', [batch, 3, input, input]);
    const wide = wideStream(b, image);
    const deep = deepStream(b, image);
    b.add('add', ADD, [wide, deep]);
  },
};

function wideStream(b: GraphBuilder, image: VertexHandle): VertexHandle {
  let x = convRelu(b, 'wide.conv1', image, 128, 7, 2);
  x = b.add('wide.pool', maxPool(3, { stride: 2, padding: 1 }), [x]);
  x = convRelu(b, 'wide.conv2', x, 256, 3);
  const left = convRelu(b, 'wide.left', x, 128, 1);
  const right = convRelu(b, 'wide.right2', convRelu(b, 'wide.right1', x, 64, 1), 128, 3);
  x = b.add('wide.cat', CONCAT, [left, right]);
  x = bridge(b, 'wide.bridge', x, 256);
  x = convRelu(b, 'wide.conv3', x, 384, 3, 2);
  x = convRelu(b, 'wide.conv4', x, 384, 3);
  return classify(b, 'wide', x);
}

/**
 * Channels of the deep stream. Chosen so that what a regular step keeps at batch 64 is what the paper
 * measured for its own network of this name (3233 MB).
 */
const DEEP = 160;

function deepStream(b: GraphBuilder, image: VertexHandle): VertexHandle {
  let x = convRelu(b, 'deep.conv1', image, DEEP, 7, 4);
  const inner = convRelu(b, 'deep.residual.conv1', x, DEEP, 3);
  const branch = conv(b, 'deep.residual.conv2', inner, DEEP, 3);
  x = addRelu(b, 'deep.residual', branch, x);
  const long = bridge(b, 'deep.bridge', x, DEEP);
  const short = convRelu(b, 'deep.short', x, DEEP, 1);
  x = b.add('deep.cat', CONCAT, [long, short]);
  return classify(b, 'deep', x);
}

/**
 * x to p directly, x and p to q, p and q to the end. p feeds both sums and q needs both x and p, so no
 * division into independent segments exists.
 */
function bridge(b: GraphBuilder, id: string, x: VertexHandle, width: number): VertexHandle {
  const p = convRelu(b, `${id}.p`, x, width, 3);
  const q = addRelu(b, `${id}.q`, conv(b, `${id}.xq`, x, width, 1), conv(b, `${id}.pq`, p, width, 3));
  return addRelu(b, `${id}.end`, conv(b, `${id}.pe`, p, width, 1), conv(b, `${id}.qe`, q, width, 3));
}

function conv(b: GraphBuilder, id: string, x: VertexHandle, width: number, kernel: number, stride = 1) {
  return b.add(id, conv2d(width, kernel, { stride, padding: (kernel - 1) / 2 }), [x]);
}

function convRelu(b: GraphBuilder, id: string, x: VertexHandle, width: number, kernel: number, stride = 1) {
  return b.add(`${id}.relu`, RELU_INPLACE, [conv(b, id, x, width, kernel, stride)], 'join');
}

function addRelu(b: GraphBuilder, id: string, left: VertexHandle, right: VertexHandle): VertexHandle {
  return b.add(`${id}.relu`, RELU_INPLACE, [b.add(`${id}.add`, ADD_INPLACE, [left, right])], 'join');
}

function classify(b: GraphBuilder, id: string, x: VertexHandle): VertexHandle {
  const pooled = b.add(`${id}.avgpool`, adaptiveAvgPool(1), [x]);
  const flat = b.add(`${id}.flatten`, FLATTEN, [pooled]);
  return b.add(`${id}.fc`, linear(IMAGENET_CLASSES), [flat], 'join');
}
