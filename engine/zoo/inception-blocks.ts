import type { GraphBuilder, VertexHandle } from '../graph/builder.ts';
import { avgPool, batchNorm, CONCAT, type ConvOptions, conv2d, maxPool, RELU_INPLACE } from '../ops/make.ts';
import type { Pair } from '../ops/definition.ts';

/** The blocks of Inception-v3; batch norm and ReLU of a convolution share a vertex in the papers' view. */

const EPSILON = 1e-3;

export function basicConv(
  b: GraphBuilder,
  id: string,
  x: VertexHandle,
  outChannels: number,
  kernel: number | Pair,
  options: ConvOptions = {},
): VertexHandle {
  let y = b.add(`${id}.conv`, conv2d(outChannels, kernel, { ...options, bias: false }), [x]);
  y = b.add(`${id}.bn`, batchNorm(EPSILON), [y]);
  return b.add(`${id}.relu`, RELU_INPLACE, [y], 'join');
}

/** Adds `basicConv`s to a block: their ids begin with the block's. */
function convsOf(b: GraphBuilder, id: string) {
  return (x: VertexHandle, name: string, out: number, kernel: number | Pair, options: ConvOptions = {}) =>
    basicConv(b, `${id}.${name}`, x, out, kernel, options);
}

function averageBranch(b: GraphBuilder, id: string, x: VertexHandle, outChannels: number): VertexHandle {
  const pooled = b.add(`${id}.avg_pool2d`, avgPool(3, { stride: 1, padding: 1 }), [x]);
  return basicConv(b, `${id}.branch_pool`, pooled, outChannels, 1);
}

/** torchvision's InceptionA, at 35x35. */
export function mixed5(b: GraphBuilder, id: string, x: VertexHandle, poolFeatures: number): VertexHandle {
  const conv = convsOf(b, id);
  const branch1x1 = conv(x, 'branch1x1', 64, 1);
  let branch5x5 = conv(x, 'branch5x5_1', 48, 1);
  branch5x5 = conv(branch5x5, 'branch5x5_2', 64, 5, { padding: 2 });
  let branch3x3 = conv(x, 'branch3x3dbl_1', 64, 1);
  branch3x3 = conv(branch3x3, 'branch3x3dbl_2', 96, 3, { padding: 1 });
  branch3x3 = conv(branch3x3, 'branch3x3dbl_3', 96, 3, { padding: 1 });
  const branchPool = averageBranch(b, id, x, poolFeatures);
  return b.add(`${id}.cat`, CONCAT, [branch1x1, branch5x5, branch3x3, branchPool]);
}

/** torchvision's InceptionB, 35x35 to 17x17. */
export function mixed6a(b: GraphBuilder, id: string, x: VertexHandle): VertexHandle {
  const conv = convsOf(b, id);
  const branch3x3 = conv(x, 'branch3x3', 384, 3, { stride: 2 });
  let double = conv(x, 'branch3x3dbl_1', 64, 1);
  double = conv(double, 'branch3x3dbl_2', 96, 3, { padding: 1 });
  double = conv(double, 'branch3x3dbl_3', 96, 3, { stride: 2 });
  const branchPool = b.add(`${id}.max_pool2d`, maxPool(3, { stride: 2 }), [x]);
  return b.add(`${id}.cat`, CONCAT, [branch3x3, double, branchPool]);
}

const ROW: [Pair, ConvOptions] = [[1, 7], { padding: [0, 3] }];
const COLUMN: [Pair, ConvOptions] = [[7, 1], { padding: [3, 0] }];

/** torchvision's InceptionC, at 17x17. */
export function mixed6(b: GraphBuilder, id: string, x: VertexHandle, width: number): VertexHandle {
  const conv = convsOf(b, id);
  const branch1x1 = conv(x, 'branch1x1', 192, 1);
  let single = conv(x, 'branch7x7_1', width, 1);
  single = conv(single, 'branch7x7_2', width, ...ROW);
  single = conv(single, 'branch7x7_3', 192, ...COLUMN);
  let double = conv(x, 'branch7x7dbl_1', width, 1);
  double = conv(double, 'branch7x7dbl_2', width, ...COLUMN);
  double = conv(double, 'branch7x7dbl_3', width, ...ROW);
  double = conv(double, 'branch7x7dbl_4', width, ...COLUMN);
  double = conv(double, 'branch7x7dbl_5', 192, ...ROW);
  const branchPool = averageBranch(b, id, x, 192);
  return b.add(`${id}.cat`, CONCAT, [branch1x1, single, double, branchPool]);
}

/** torchvision's InceptionD, 17x17 to 8x8. */
export function mixed7a(b: GraphBuilder, id: string, x: VertexHandle): VertexHandle {
  const conv = convsOf(b, id);
  let branch3x3 = conv(x, 'branch3x3_1', 192, 1);
  branch3x3 = conv(branch3x3, 'branch3x3_2', 320, 3, { stride: 2 });
  let branch7x7 = conv(x, 'branch7x7x3_1', 192, 1);
  branch7x7 = conv(branch7x7, 'branch7x7x3_2', 192, ...ROW);
  branch7x7 = conv(branch7x7, 'branch7x7x3_3', 192, ...COLUMN);
  branch7x7 = conv(branch7x7, 'branch7x7x3_4', 192, 3, { stride: 2 });
  const branchPool = b.add(`${id}.max_pool2d`, maxPool(3, { stride: 2 }), [x]);
  return b.add(`${id}.cat`, CONCAT, [branch3x3, branch7x7, branchPool]);
}

/** torchvision's InceptionE, at 8x8; the split pairs are concatenated first. */
export function mixed7(b: GraphBuilder, id: string, x: VertexHandle): VertexHandle {
  const conv = convsOf(b, id);
  const split = (y: VertexHandle, a: string, c: string, name: string): VertexHandle => {
    const row = conv(y, a, 384, [1, 3], { padding: [0, 1] });
    const column = conv(y, c, 384, [3, 1], { padding: [1, 0] });
    return b.add(`${id}.${name}`, CONCAT, [row, column]);
  };
  const branch1x1 = conv(x, 'branch1x1', 320, 1);
  let single = conv(x, 'branch3x3_1', 384, 1);
  single = split(single, 'branch3x3_2a', 'branch3x3_2b', 'cat_3x3');
  let double = conv(x, 'branch3x3dbl_1', 448, 1);
  double = conv(double, 'branch3x3dbl_2', 384, 3, { padding: 1 });
  double = split(double, 'branch3x3dbl_3a', 'branch3x3dbl_3b', 'cat_3x3dbl');
  const branchPool = averageBranch(b, id, x, 192);
  return b.add(`${id}.cat`, CONCAT, [branch1x1, single, double, branchPool]);
}
