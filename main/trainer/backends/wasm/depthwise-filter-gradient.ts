import type { TensorInfo } from '@tensorflow/tfjs-core';
import type { BackendWasm } from '@tensorflow/tfjs-backend-wasm';
import { type FilterGradientAttributes, type Geometry, geometryOf } from './convolution.ts';
import { allocate, call, input, release, reshaped, valuesOf, type WasmKernelCall } from './heap.ts';

/** Workspace of one product; more taps need several products. */
const WORKSPACE_BYTES = 32 * 1024 * 1024;

/**
 * Gradient of a depthwise convolution by its filter, [KH, KW, C, 1]: for each tap the input that it sees
 * times the output's gradient, summed over all M = N * OH * OW places. The product and the sum (a global
 * average pool) are XNNPACK's, for as many taps at once as the workspace holds.
 */
export function depthwiseFilterGradient(kernelCall: WasmKernelCall<FilterGradientAttributes>): TensorInfo {
  const { backend } = kernelCall;
  const x = input(kernelCall, 'x');
  const info = geometryOf(kernelCall.attrs, x.shape, kernelCall.attrs.filterShape, true);
  const c = info.inChannels;
  const m = info.batchSize * info.outHeight * info.outWidth;
  const taps = info.filterHeight * info.filterWidth;
  const perProduct = Math.max(1, Math.min(taps, Math.floor(WORKSPACE_BYTES / (4 * c * m))));
  const dy = reshaped(input(kernelCall, 'dy'), [1, m, 1, c]);
  const gradient = allocate(backend, info.filterShape);
  for (let tap = 0; tap < taps; tap += perProduct) {
    const count = Math.min(perProduct, taps - tap);
    const seen = allocate(backend, [count, m, 1, c]);
    gatherTaps(backend, x, seen, info, tap, count);
    const product = call(backend, 'Multiply', { a: seen, b: dy }, {});
    release(backend, seen);
    const means = call(
      backend,
      'AvgPool',
      { x: product },
      { filterSize: [m, 1], strides: [1, 1], pad: 'valid' },
    );
    const to = valuesOf(backend, gradient);
    const from = valuesOf(backend, means);
    for (let i = 0; i < count * c; i++) to[tap * c + i] = m * from[i]!;
    release(backend, means);
    release(backend, product);
  }
  return gradient;
}

/** seen[tap][place] = what the tap sees at that output place, all channels; 0 in the padding. */
function gatherTaps(
  backend: BackendWasm,
  x: TensorInfo,
  seen: TensorInfo,
  info: Geometry,
  firstTap: number,
  count: number,
): void {
  const c = info.inChannels;
  const m = seen.shape[1] ?? 1;
  const xs = valuesOf(backend, x);
  const to = valuesOf(backend, seen);
  to.fill(0);
  for (let t = 0; t < count; t++) {
    const tap = firstTap + t;
    const { firstColumn, lastColumn, columnOffset } = columnsOf(info, tap % info.filterWidth);
    const columns = lastColumn - firstColumn + 1;
    if (columns <= 0) continue;
    forEachRow(info, Math.floor(tap / info.filterWidth), (outRow, inRow) => {
      if (inRow < 0) return;
      let source = (inRow + firstColumn * info.strideWidth + columnOffset) * c;
      let target = (t * m + outRow + firstColumn) * c;
      if (info.strideWidth === 1) {
        to.set(xs.subarray(source, source + columns * c), target);
        return;
      }
      for (let column = 0; column < columns; column++) {
        for (let i = 0; i < c; i++) to[target + i] = xs[source + i]!;
        source += info.strideWidth * c;
        target += c;
      }
    });
  }
}

/** Output columns at which a tap's column lies inside the image. */
function columnsOf(info: Geometry, tapColumn: number) {
  const columnOffset = tapColumn * info.dilationWidth - info.padInfo.left;
  const firstColumn = Math.max(0, Math.ceil(-columnOffset / info.strideWidth));
  const lastColumn = Math.min(
    info.outWidth - 1,
    Math.floor((info.inWidth - 1 - columnOffset) / info.strideWidth),
  );
  return { columnOffset, firstColumn, lastColumn };
}

/** Calls with the first place of every output row and of the input row that the tap sees, or -1 in the padding. */
function forEachRow(info: Geometry, tapRow: number, visit: (outRow: number, inRow: number) => void): void {
  for (let n = 0; n < info.batchSize; n++) {
    for (let oh = 0; oh < info.outHeight; oh++) {
      const ih = oh * info.strideHeight - info.padInfo.top + tapRow * info.dilationHeight;
      const inside = ih >= 0 && ih < info.inHeight;
      visit((n * info.outHeight + oh) * info.outWidth, inside ? (n * info.inHeight + ih) * info.inWidth : -1);
    }
  }
}
