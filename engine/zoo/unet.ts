import type { GraphBuilder, VertexHandle } from '../graph/builder.ts';
import { batchNorm, CONCAT, conv2d, convTranspose2d, groupNorm, maxPool, RELU_INPLACE } from '../ops/make.ts';
import type { Operation } from '../ops/operation.ts';
import type { Model, Settings } from './model.ts';

const WIDTHS = [64, 128, 256, 512, 1024] as const;
const TINY_WIDTHS = [8, 16, 32] as const;
const CLASSES = 2;
/** As Wu & He 2018 recommend. */
const GROUPS = 32;

/**
 * U-Net (Ronneberger et al. 2015) as it is mostly built today: padded convolutions with batch norm, so
 * that the output has the input's size, and transposed convolutions on the way up.
 */
export const UNET: Model = {
  info: {
    name: 'unet',
    title: 'U-Net',
    family: 'U-Net',
    linear: false,
    defaultInput: 512,
    minInput: 16,
    inputMultiple: 16,
    defaultBatch: 4,
    note: 'Ronneberger et al. 2015 with padding and batch norm, RGB in, 2 classes out.',
  },
  generalRoles: true,
  build: (b, settings) => buildUnet(b, settings, WIDTHS, batchNorm()),
};

/** The same with group norm, for batches too small for batch statistics. */
export const UNET_GROUP_NORM: Model = {
  info: {
    ...UNET.info,
    name: 'unet-group-norm',
    title: 'U-Net, group norm',
    note: `The U-Net with group norm (Wu & He 2018, ${GROUPS} groups) in place of batch norm.`,
  },
  generalRoles: true,
  build: (b, settings) => buildUnet(b, settings, WIDTHS, groupNorm(GROUPS)),
};

/** The same with three levels; fewer than 50,000 parameters. */
export const TINY_UNET: Model = {
  info: {
    name: 'tiny-unet',
    title: 'Tiny U-Net',
    family: 'Zigzag',
    linear: false,
    defaultInput: 32,
    minInput: 4,
    inputMultiple: 4,
    defaultBatch: 16,
    note: 'A U-Net of three levels that labels every pixel, for training in seconds.',
  },
  generalRoles: true,
  build: (b, settings) => buildUnet(b, settings, TINY_WIDTHS, batchNorm()),
};

function buildUnet(
  b: GraphBuilder,
  { batch, input }: Settings,
  widths: readonly number[],
  norm: Operation,
): void {
  let x = b.input('input', [batch, 3, input, input]);
  const skips: VertexHandle[] = [];
  widths.forEach((width, depth) => {
    if (depth > 0) x = b.add(`down${depth}.pool`, maxPool(2), [x]);
    x = doubleConv(b, `down${depth}`, x, width, norm);
    skips.push(x);
  });
  for (let depth = widths.length - 2; depth >= 0; depth--) {
    const width = widths[depth] ?? 1;
    x = b.add(`up${depth}.up`, convTranspose2d(width, 2, 2), [x]);
    x = b.add(`up${depth}.cat`, CONCAT, [skips[depth] ?? 0, x]);
    x = doubleConv(b, `up${depth}`, x, width, norm);
  }
  b.add('out', conv2d(CLASSES, 1), [x]);
}

function doubleConv(
  b: GraphBuilder,
  id: string,
  x: VertexHandle,
  width: number,
  norm: Operation,
): VertexHandle {
  let y = x;
  for (const part of [1, 2]) {
    y = b.add(`${id}.conv${part}`, conv2d(width, 3, { padding: 1, bias: false }), [y]);
    y = b.add(`${id}.norm${part}`, norm, [y]);
    y = b.add(`${id}.relu${part}`, RELU_INPLACE, [y]);
  }
  return y;
}
