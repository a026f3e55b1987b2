import { backend_util, type TensorInfo } from '@tensorflow/tfjs-core';
import type { BackendWasm } from '@tensorflow/tfjs-backend-wasm';
import { allocate, call, input, release, reshaped, valuesOf, type WasmKernelCall } from './heap.ts';

export interface FilterGradientAttributes {
  readonly strides: [number, number];
  readonly dilations?: [number, number];
  readonly pad: 'same' | 'valid' | number | backend_util.ExplicitPadding;
  readonly dimRoundingMode?: 'floor' | 'round' | 'ceil';
  readonly filterShape: [number, number, number, number];
}

/** Workspace of one product; more taps than fit go in several. */
export const WORKSPACE_BYTES = 32 * 1024 * 1024;

/**
 * Gradient of a convolution by its filter, [KH, KW, C, K], as matrix products in XNNPACK: for each tap
 * the input that it sees, transposed to [C, M] with M = N * OH * OW, times the output's gradient [M, K].
 */
export function convFilterGradient(kernelCall: WasmKernelCall<FilterGradientAttributes>): TensorInfo {
  const { backend } = kernelCall;
  const x = input(kernelCall, 'x');
  const dy = input(kernelCall, 'dy');
  const info = geometryOf(kernelCall.attrs, x, false);
  const { inChannels: c, outChannels: k } = info;
  const m = info.batchSize * info.outHeight * info.outWidth;
  const taps = info.filterHeight * info.filterWidth;
  const perProduct = Math.max(1, Math.min(taps, Math.floor(WORKSPACE_BYTES / (4 * c * m))));
  const right = reshaped(dy, [m, k]);
  const gradient = perProduct < taps ? allocate(backend, info.filterShape) : null;
  for (let tap = 0; tap < taps; tap += perProduct) {
    const count = Math.min(perProduct, taps - tap);
    const left = allocate(backend, [count * c, m]);
    gatherTaps(backend, x, left, info, tap, count);
    const product = call(
      backend,
      'BatchMatMul',
      { a: left, b: right },
      { transposeA: false, transposeB: false },
    );
    release(backend, left);
    if (gradient === null) return { ...product, shape: [...info.filterShape] };
    valuesOf(backend, gradient).set(valuesOf(backend, product), tap * c * k);
    release(backend, product);
  }
  return gradient ?? allocate(backend, info.filterShape);
}

type Geometry = backend_util.Conv2DInfo;

export function geometryOf(attrs: FilterGradientAttributes, x: TensorInfo, depthwise: boolean): Geometry {
  const { filterShape, strides, dilations = [1, 1], pad, dimRoundingMode } = attrs;
  const shape = x.shape as [number, number, number, number];
  return backend_util.computeConv2DInfo(
    shape,
    filterShape,
    strides,
    dilations,
    pad,
    dimRoundingMode,
    depthwise,
    'channelsLast',
  );
}

/** left[(tap, c)][place] = what the tap sees of channel c at that output place; 0 in the padding. */
function gatherTaps(
  backend: BackendWasm,
  x: TensorInfo,
  left: TensorInfo,
  info: Geometry,
  firstTap: number,
  count: number,
): void {
  const c = info.inChannels;
  const m = left.shape[1] ?? 1;
  const xs = valuesOf(backend, x);
  const to = valuesOf(backend, left);
  to.fill(0);
  for (let t = 0; t < count; t++) {
    const tap = firstTap + t;
    const { firstColumn, lastColumn, columnOffset } = columnsOf(info, tap % info.filterWidth);
    const step = info.strideWidth * c;
    forEachRow(info, Math.floor(tap / info.filterWidth), (outRow, inRow) => {
      if (inRow < 0) return;
      for (let channel = 0; channel < c; channel++) {
        let source = (inRow + firstColumn * info.strideWidth + columnOffset) * c + channel;
        const row = (t * c + channel) * m + outRow;
        for (let ow = firstColumn; ow <= lastColumn; ow++) {
          to[row + ow] = xs[source]!;
          source += step;
        }
      }
    });
  }
}

/** Output columns at which a tap's column lies inside the image. */
export function columnsOf(info: Geometry, tapColumn: number) {
  const columnOffset = tapColumn * info.dilationWidth - info.padInfo.left;
  const firstColumn = Math.max(0, Math.ceil(-columnOffset / info.strideWidth));
  const lastColumn = Math.min(
    info.outWidth - 1,
    Math.floor((info.inWidth - 1 - columnOffset) / info.strideWidth),
  );
  return { columnOffset, firstColumn, lastColumn };
}

/** Calls with the first place of every output row and of the input row that the tap sees, or -1 in the padding. */
export function forEachRow(
  info: Geometry,
  tapRow: number,
  visit: (outRow: number, inRow: number) => void,
): void {
  for (let n = 0; n < info.batchSize; n++) {
    for (let oh = 0; oh < info.outHeight; oh++) {
      const ih = oh * info.strideHeight - info.padInfo.top + tapRow * info.dilationHeight;
      const inside = ih >= 0 && ih < info.inHeight;
      visit((n * info.outHeight + oh) * info.outWidth, inside ? (n * info.inHeight + ih) * info.inWidth : -1);
    }
  }
}
