import { backend_util, type TensorInfo } from '@tensorflow/tfjs-core';
import type { BackendWasm } from '@tensorflow/tfjs-backend-wasm';
import { addressOf, allocate, input, intsAt, valuesOf, type WasmKernelCall } from './heap.ts';
import {
  imageBytes,
  inParts,
  inRuns,
  paddedWidth,
  type Places,
  placesFrom,
  type Source,
  withImages,
  writePlaces,
} from './images.ts';
import { type Phase, phasesOf } from './phases.ts';
import { COLUMNS, ROWS, simd } from './simd.ts';
import {
  convolutionBytes,
  convolveTransformed,
  finishGradient,
  gatherTransformed,
  gradientBytes,
  imagesAtOnce,
  isWorthTransforming,
  type Small,
  transformFilter,
  withFilter,
} from './winograd.ts';

interface ConvolutionAttributes {
  readonly strides: [number, number];
  readonly dilations?: [number, number];
  readonly pad: 'same' | 'valid' | number | backend_util.ExplicitPadding;
  readonly dimRoundingMode?: 'floor' | 'round' | 'ceil';
}

export interface InputGradientAttributes extends ConvolutionAttributes {
  readonly inputShape: [number, number, number, number];
}

export interface FilterGradientAttributes extends ConvolutionAttributes {
  readonly filterShape: [number, number, number, number];
}

export type Geometry = backend_util.Conv2DInfo;
type Shape4 = [number, number, number, number];

export function geometryOf(
  attributes: ConvolutionAttributes,
  inputShape: readonly number[],
  filterShape: readonly number[],
  depthwise: boolean,
): Geometry {
  const { strides, dilations = [1, 1], pad, dimRoundingMode } = attributes;
  return backend_util.computeConv2DInfo(
    inputShape as Shape4,
    filterShape as Shape4,
    strides,
    dilations,
    pad,
    dimRoundingMode,
    depthwise,
    'channelsLast',
  );
}

/** Convolution of [N, H, W, C] by a filter [KH, KW, C, K], as a product that reads the padded images in place. */
export function convolution(kernelCall: WasmKernelCall<ConvolutionAttributes>): TensorInfo {
  const { backend, attrs } = kernelCall;
  const x = input(kernelCall, 'x');
  const filter = input(kernelCall, 'filter');
  const info = geometryOf(attrs, x.shape, filter.shape, false);
  const { outHeight, outWidth, outChannels } = info;
  const out = allocate(backend, info.outShape);
  const source = paddedInput(info);
  const small = smallOf(info, source, outHeight, outWidth, outChannels);
  if (small !== null) {
    convolveSmall(backend, small, source, x, filter, out, false);
    return out;
  }
  const { taps, depth } = tapsOf(info, source);
  const places = outHeight * outWidth;
  inParts(info.batchSize, imageBytes(source) + 8 * places, (first, images) => {
    const m = images * places;
    const sizes = [m, m, 2 * taps.length, (1 + taps.length * depth) * COLUMNS];
    withImages(backend, x, source, first, images, sizes, (left, [rows, outRows, table, packed]) => {
      writePlaces(intsAt(backend, rows, m), images, source, inputPlaces(info));
      for (let i = 0, to = intsAt(backend, outRows, m); i < m; i++) to[i] = 4 * outChannels * i;
      intsAt(backend, table, 2 * taps.length).set(taps.flat());
      const to = addressOf(backend, out) + 4 * first * places * outChannels;
      const right = addressOf(backend, filter);
      const stride = 4 * outChannels;
      simd(backend).product(
        ...[left, rows, m, table, taps.length, depth, right, stride, 0, 0, outChannels, packed, to, outRows],
      );
    });
  });
  return out;
}

/**
 * Gradient of a convolution by its filter, [KH, KW, C, K]: for each tap the input that it sees, transposed, times the
 * output's gradient.
 */
export function convFilterGradient(kernelCall: WasmKernelCall<FilterGradientAttributes>): TensorInfo {
  const { backend, attrs } = kernelCall;
  const x = input(kernelCall, 'x');
  const dy = input(kernelCall, 'dy');
  const info = geometryOf(attrs, x.shape, attrs.filterShape, false);
  const { outChannels } = info;
  const gradient = allocate(backend, info.filterShape);
  const source = paddedInput(info);
  const small = smallOf(info, source, info.outHeight, info.outWidth, outChannels);
  if (small !== null) {
    filterGradientSmall(backend, small, source, x, dy, gradient);
    return gradient;
  }
  const { taps, depth } = tapsOf(info, source);
  const places = info.outHeight * info.outWidth;
  const packedWidth = COLUMNS * Math.ceil(outChannels / COLUMNS) + ROWS;
  inParts(info.batchSize, imageBytes(source) + 4 * places * (1 + packedWidth), (first, images) => {
    const m = images * places;
    const sizes = [m, 2 * taps.length, m * packedWidth];
    withImages(backend, x, source, first, images, sizes, (left, [rows, table, packed]) => {
      writePlaces(intsAt(backend, rows, m), images, source, inputPlaces(info));
      intsAt(backend, table, 2 * taps.length).set(taps.flat());
      const right = addressOf(backend, dy) + 4 * first * places * outChannels;
      const to = addressOf(backend, gradient);
      simd(backend).outerProduct(
        ...[left, rows, m, table, taps.length, depth, right, 4 * outChannels, outChannels, packed, to],
        ...[4 * outChannels, first === 0 ? 1 : 0],
      );
    });
  });
  return gradient;
}

/**
 * Gradient of a convolution by its input, [N, H, W, C]: for each residue of a place by the stride, a plain
 * convolution of the output's gradient with those taps that reach it, transposed. Honours dilations.
 */
export function convInputGradient(kernelCall: WasmKernelCall<InputGradientAttributes>): TensorInfo {
  const { backend, attrs } = kernelCall;
  const dy = input(kernelCall, 'dy');
  const filter = input(kernelCall, 'filter');
  const info = geometryOf(attrs, attrs.inputShape, filter.shape, false);
  const dx = allocate(backend, attrs.inputShape);
  const around = paddedGradient(info);
  const small = smallOf(info, around, info.inHeight, info.inWidth, info.inChannels);
  if (small !== null) {
    convolveSmall(backend, small, around, dy, filter, dx, true);
    return dx;
  }
  const [rows, columns] = inputPhases(info);
  const reached = sum(rows) * sum(columns);
  if (reached < info.inHeight * info.inWidth) valuesOf(backend, dx).fill(0);
  for (const row of rows)
    for (const column of columns) phaseGradient(backend, info, dy, filter, dx, row, column);
  return dx;
}

/** The plain 3x3 convolution for Winograd transforms, if they make it cheaper; else null. */
function smallOf(
  info: Geometry,
  source: Source,
  height: number,
  width: number,
  outChannels: number,
): Small | null {
  const { filterHeight, filterWidth, strideHeight, strideWidth, dilationHeight, dilationWidth } = info;
  const steps = [strideHeight, strideWidth, dilationHeight, dilationWidth];
  if (filterHeight !== 3 || filterWidth !== 3 || steps.some((step) => step !== 1)) return null;
  if (source.padding.some((extent) => extent < 0)) return null;
  const [images, channels] = [info.batchSize, source.channels];
  const small = { images, paddedWidth: paddedWidth(source), height, width, channels, outChannels };
  return isWorthTransforming(small) ? small : null;
}

/** The output's gradient, padded for the convolution that gives the input's. */
function paddedGradient({ outHeight, outWidth, outChannels, padInfo }: Geometry): Source {
  const { top, bottom, left, right } = padInfo;
  const padding = [2 - top, 2 - bottom, 2 - left, 2 - right] as const;
  return { height: outHeight, width: outWidth, channels: outChannels, padding };
}

function convolveSmall(
  backend: BackendWasm,
  small: Small,
  source: Source,
  x: TensorInfo,
  filter: TensorInfo,
  out: TensorInfo,
  flipped: boolean,
): void {
  const { height, width, channels, outChannels } = small;
  withFilter(backend, small, (filters) => {
    transformFilter(backend, addressOf(backend, filter), filters, channels * outChannels);
    inRuns(small.images, imagesAtOnce(small), (first, images) => {
      const part = { ...small, images };
      withImages(backend, x, source, first, images, [convolutionBytes(part) / 4], (padded, [work]) => {
        const to = addressOf(backend, out) + 4 * first * height * width * outChannels;
        convolveTransformed(backend, part, padded, filters, to, work, flipped);
      });
    });
  });
}

function filterGradientSmall(
  backend: BackendWasm,
  small: Small,
  source: Source,
  x: TensorInfo,
  dy: TensorInfo,
  gradient: TensorInfo,
): void {
  const { height, width, channels, outChannels } = small;
  withFilter(backend, small, (gradients) => {
    inRuns(small.images, imagesAtOnce(small), (first, images) => {
      const part = { ...small, images };
      withImages(backend, x, source, first, images, [gradientBytes(part) / 4], (padded, [work]) => {
        const from = addressOf(backend, dy) + 4 * first * height * width * outChannels;
        gatherTransformed(backend, part, padded, from, gradients, work, first === 0);
      });
    });
    finishGradient(backend, gradients, addressOf(backend, gradient), channels * outChannels);
  });
}

const sum = (phases: readonly Phase[]): number => phases.reduce((total, { count }) => total + count, 0);

export function inputPhases(info: Geometry): [rows: Phase[], columns: Phase[]] {
  return [
    phasesOf({
      input: info.inHeight,
      output: info.outHeight,
      kernel: info.filterHeight,
      stride: info.strideHeight,
      dilation: info.dilationHeight,
      padding: info.padInfo.top,
    }),
    phasesOf({
      input: info.inWidth,
      output: info.outWidth,
      kernel: info.filterWidth,
      stride: info.strideWidth,
      dilation: info.dilationWidth,
      padding: info.padInfo.left,
    }),
  ];
}

function phaseGradient(
  backend: BackendWasm,
  info: Geometry,
  dy: TensorInfo,
  filter: TensorInfo,
  dx: TensorInfo,
  row: Phase,
  column: Phase,
): void {
  const { inHeight, inWidth, inChannels: c, outChannels: k, filterWidth } = info;
  const source: Source = {
    height: info.outHeight,
    width: info.outWidth,
    channels: k,
    padding: [row.before, row.after, column.before, column.after],
  };
  const width = column.before + source.width + column.after;
  const taps = row.taps.flatMap((i, y) =>
    column.taps.map((j, x): [number, number] => [
      4 * k * (y * row.dilation * width + x * column.dilation),
      4 * c * k * (i * filterWidth + j),
    ]),
  );
  const target: Source = { height: inHeight, width: inWidth, channels: c, padding: [0, 0, 0, 0] };
  const places = row.count * column.count;
  const seen = placesFrom(row.skip, 1, row.count, column.skip, 1, column.count);
  const { strideHeight, strideWidth } = info;
  const written = placesFrom(row.first, strideHeight, row.count, column.first, strideWidth, column.count);
  inParts(info.batchSize, imageBytes(source) + 8 * places, (first, images) => {
    const m = images * places;
    const sizes = [m, m, 2 * taps.length, (1 + taps.length * k) * COLUMNS];
    withImages(backend, dy, source, first, images, sizes, (left, [rows, outRows, table, packed]) => {
      writePlaces(intsAt(backend, rows, m), images, source, seen);
      writePlaces(intsAt(backend, outRows, m), images, target, written);
      intsAt(backend, table, 2 * taps.length).set(taps.flat());
      const to = addressOf(backend, dx) + 4 * first * inHeight * inWidth * c;
      const right = addressOf(backend, filter);
      simd(backend).product(
        ...[left, rows, m, table, taps.length, k, right, 4 * k, 1, 0, c, packed, to, outRows],
      );
    });
  });
}

function paddedInput({ inHeight, inWidth, inChannels, padInfo }: Geometry): Source {
  const { top, bottom, left, right } = padInfo;
  return { height: inHeight, width: inWidth, channels: inChannels, padding: [top, bottom, left, right] };
}

/**
 * The filter's view at a place as runs of numbers: [how far from the place's first, how far in the filter], in
 * bytes, and the length of each. Taps of a row are one run where no dilation parts them.
 */
function tapsOf(
  info: Geometry,
  source: Source,
): { readonly taps: [number, number][]; readonly depth: number } {
  const { filterHeight, filterWidth, inChannels: c, outChannels: k, dilationHeight, dilationWidth } = info;
  const merged = dilationWidth === 1 ? filterWidth : 1;
  const taps: [number, number][] = [];
  for (let i = 0; i < filterHeight; i++) {
    for (let j = 0; j < filterWidth; j += merged) {
      const away = i * dilationHeight * paddedWidth(source) + j * dilationWidth;
      taps.push([4 * c * away, 4 * c * k * (i * filterWidth + j)]);
    }
  }
  return { taps, depth: merged * c };
}

const inputPlaces = (info: Geometry): Places =>
  placesFrom(0, info.strideHeight, info.outHeight, 0, info.strideWidth, info.outWidth);
