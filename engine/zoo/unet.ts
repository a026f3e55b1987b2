import type { VertexHandle } from '../graph/builder.ts';
import { batchNorm, CONCAT, conv2d, maxPool, RELU_INPLACE } from '../ops/make.ts';
import { Described } from './described.ts';
import type { Model } from './model.ts';

const WIDTHS = [64, 128, 256, 512, 1024] as const;
const CLASSES = 2;

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
  build: (b, { batch, input }) => {
    const l = new Described(b);
    let x = b.input('input', [batch, 3, input, input]);
    const skips: VertexHandle[] = [];
    WIDTHS.forEach((width, depth) => {
      if (depth > 0) x = b.add(`down${depth}.pool`, maxPool(2), [x]);
      x = doubleConv(l, `down${depth}`, x, width);
      skips.push(x);
    });
    for (let depth = WIDTHS.length - 2; depth >= 0; depth--) {
      const width = WIDTHS[depth] ?? 64;
      x = l.convTranspose(`up${depth}.up`, x, width, 2);
      x = b.add(`up${depth}.cat`, CONCAT, [skips[depth] ?? 0, x]);
      x = doubleConv(l, `up${depth}`, x, width);
    }
    b.add('out', conv2d(CLASSES, 1), [x]);
  },
};

function doubleConv(l: Described, id: string, x: VertexHandle, width: number): VertexHandle {
  let y = x;
  for (const part of [1, 2]) {
    y = l.b.add(`${id}.conv${part}`, conv2d(width, 3, { padding: 1, bias: false }), [y]);
    y = l.b.add(`${id}.bn${part}`, batchNorm(), [y]);
    y = l.b.add(`${id}.relu${part}`, RELU_INPLACE, [y]);
  }
  return y;
}
