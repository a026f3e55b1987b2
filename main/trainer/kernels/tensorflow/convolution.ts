import type * as tf from '@tensorflow/tfjs-core';
import type { ConvolutionGeometry } from '../window.ts';
import { integer, margins, type Operand, part, product, reshape, run, text, vector, whole } from './run.ts';

/**
 * Convolutions of deep layers, which have more filter than image. oneDNN reorders the filter for every kernel, which
 * takes 1 to 3 ns per element (measured); products over windows of the image read it in place. They take 1.5 to 2 ns
 * per element of the windows, so they pay with fewer places than channels: up to 5 times as fast at 2x2 places and 512
 * channels.
 *
 * Shapes: x [N, H, W, C], filter [KH, KW, C, K], dy [N, OH, OW, K].
 */
export function isDeep(shape: readonly number[], { depthwise, dilation }: ConvolutionGeometry): boolean {
  const [places, channels] = placesOf(shape);
  return !depthwise && dilation.every((extent) => extent === 1) && places < channels;
}

/** Extents of the output. */
export function convolve(x: tf.Tensor, filter: tf.Tensor, geometry: ConvolutionGeometry): tf.Tensor {
  const k = filter.shape[3] ?? 1;
  const weights = reshape(filter, [filter.size / k, k]);
  return run(reshape(product(columns(x, filter.shape, geometry), weights), outputShape(x, filter, geometry)));
}

export function filterGradient(
  x: tf.Tensor,
  dy: tf.Tensor,
  filterShape: readonly number[],
  geometry: ConvolutionGeometry,
): tf.Tensor {
  const gradient = product(columns(x, filterShape, geometry), reshape(dy, [...placesOf(dy.shape)]), true);
  return run(reshape(gradient, filterShape));
}

/** For stride 1 and padding no wider than the window: every place reads the taps that reach it, last tap first. */
export function inputGradient(
  dy: tf.Tensor,
  filter: tf.Tensor,
  inputShape: readonly number[],
  { padding }: ConvolutionGeometry,
): tf.Tensor {
  const [kh = 1, kw = 1, c = 1, k = 1] = filter.shape;
  const around = padding.map(([before, after], axis) => {
    const reach = axis === 1 ? kh - 1 : axis === 2 ? kw - 1 : 0;
    return [reach - before, reach - after] as const;
  });
  const [places] = placesOf(inputShape);
  const taps = reshape(windows(padded(dy, around), [kh, kw], [1, 1]), [places, kh * kw, k]);
  const byTap = part('ReverseV2', [part('Transpose', [taps, vector([1, 0, 2])]), vector([0])]);
  const parts = product(byTap, reshape(filter, [kh * kw, c, k]), false, true);
  return run(reshape(part('Sum', [parts, integer(0)]), inputShape));
}

export function hasOwnInputGradient(
  [kh = 1, kw = 1]: readonly number[],
  { stride, padding }: ConvolutionGeometry,
): boolean {
  const [, down, along] = padding;
  return [...stride].every((extent) => extent === 1) && Math.max(...down) < kh && Math.max(...along) < kw;
}

export function outputShape(
  { shape: [n = 1, ...extents] }: tf.Tensor,
  { shape: [kh = 1, kw = 1, , k = 1] }: tf.Tensor,
  { stride, padding }: ConvolutionGeometry,
): number[] {
  const [h, w] = [kh, kw].map((taps, axis) => {
    const [before, after] = padding[axis + 1] ?? [0, 0];
    return Math.floor(((extents[axis] ?? 1) + before + after - taps) / (stride[axis] ?? 1)) + 1;
  }) as [number, number];
  return [n, h, w, k];
}

function placesOf([n = 1, h = 1, w = 1, c = 1]: readonly number[]): readonly [
  places: number,
  channels: number,
] {
  return [n * h * w, c];
}

/** Every window of the padded input as a row, [N OH OW, KH KW C]. */
function columns(
  x: tf.Tensor,
  [kh = 1, kw = 1, c = 1]: readonly number[],
  { stride, padding }: ConvolutionGeometry,
) {
  const width = kh * kw * c;
  return reshape(windows(padded(x, padding), [kh, kw], stride), [-1, width]);
}

function padded(x: tf.Tensor, around: readonly (readonly [number, number])[]): Operand {
  return around.flat().some((extent) => extent > 0) ? part('Pad', [x, margins(around)]) : x;
}

function windows(x: Operand, size: readonly number[], stride: readonly number[]): Operand {
  if ([...size, ...stride].every((extent) => extent === 1)) return x;
  const attributes = [
    whole('ksizes', [1, ...size, 1]),
    whole('strides', [1, ...stride, 1]),
    whole('rates', [1, 1, 1, 1]),
    text('padding', 'VALID'),
  ];
  return part('ExtractImagePatches', [x], attributes);
}
