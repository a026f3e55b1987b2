import type { TensorInfo } from '@tensorflow/tfjs-core';
import type { BackendWasm } from '@tensorflow/tfjs-backend-wasm';
import { explicitPadding } from '../../kernels/window.ts';
import { geometryOf, type InputGradientAttributes, inputPhases } from './convolution.ts';
import { allocate, call, input, release, valuesOf, type WasmKernelCall } from './heap.ts';
import type { Phase } from './phases.ts';

/**
 * Gradient of a depthwise convolution with a filter [KH, KW, C, 1] by its input, [N, H, W, C], as convolutions of the
 * output's gradient with the flipped filter: those run in XNNPACK. Honours dilations, which the attribute's users
 * elsewhere cannot set.
 */
export function depthwiseInputGradient(kernelCall: WasmKernelCall<InputGradientAttributes>): TensorInfo {
  const { backend, attrs } = kernelCall;
  const { inputShape, strides } = attrs;
  const dy = input(kernelCall, 'dy');
  const filter = input(kernelCall, 'filter');
  const info = geometryOf(attrs, inputShape, filter.shape, true);
  const [rows, columns] = inputPhases(info);
  const [row, column] = [rows[0], columns[0]];
  if (row !== undefined && column !== undefined && isWhole(row, info.outHeight, info.inHeight)) {
    if (isWhole(column, info.outWidth, info.inWidth)) {
      return convolvePhase(backend, dy, filter, row, column);
    }
  }

  const dx = allocate(backend, inputShape);
  valuesOf(backend, dx).fill(0);
  for (const row of rows) {
    for (const column of columns) {
      const part = convolvePhase(backend, dy, filter, row, column);
      scatter(backend, part, dx, row, column, strides);
      release(backend, part);
    }
  }
  return dx;
}

/** True if the plain convolution of a phase is already the whole gradient, as at stride 1. */
function isWhole(phase: Phase, output: number, input: number): boolean {
  const length = output + phase.before + phase.after - (phase.taps.length - 1) * phase.dilation;
  return phase.skip === 0 && phase.first === 0 && phase.count === input && length === input;
}

function convolvePhase(
  backend: BackendWasm,
  dy: TensorInfo,
  filter: TensorInfo,
  row: Phase,
  column: Phase,
): TensorInfo {
  const taps = reversedTaps(backend, filter, row, column);
  const part = call(
    backend,
    'DepthwiseConv2dNative',
    { x: dy, filter: taps },
    {
      strides: [1, 1],
      pad: explicitPadding([row.before, row.after, column.before, column.after]),
      dilations: [row.dilation, column.dilation],
      dataFormat: 'NHWC',
    },
  );
  release(backend, taps);
  return part;
}

/** The taps of two phases of a depthwise filter, [taps, taps, C, 1]. */
function reversedTaps(backend: BackendWasm, filter: TensorInfo, row: Phase, column: Phase): TensorInfo {
  const [, width = 1, c = 1] = filter.shape;
  const taps = allocate(backend, [row.taps.length, column.taps.length, c, 1]);
  const from = valuesOf(backend, filter);
  const to = valuesOf(backend, taps);
  let at = 0;
  for (const i of row.taps) {
    for (const j of column.taps) {
      const source = (i * width + j) * c;
      to.set(from.subarray(source, source + c), at);
      at += c;
    }
  }
  return taps;
}

/** Puts the results of one pair of phases at their places of the input. */
function scatter(
  backend: BackendWasm,
  part: TensorInfo,
  dx: TensorInfo,
  row: Phase,
  column: Phase,
  [strideHeight, strideWidth]: [number, number],
): void {
  const [n = 1, h = 1, w = 1, c = 1] = dx.shape;
  const [, partHeight = 1, partWidth = 1] = part.shape;
  const from = valuesOf(backend, part);
  const to = valuesOf(backend, dx);
  for (let image = 0; image < n; image++) {
    for (let i = 0; i < row.count; i++) {
      let source = ((image * partHeight + row.skip + i) * partWidth + column.skip) * c;
      let target = ((image * h + row.first + i * strideHeight) * w + column.first) * c;
      for (let j = 0; j < column.count; j++) {
        for (let channel = 0; channel < c; channel++) to[target + channel] = from[source + channel]!;
        source += c;
        target += strideWidth * c;
      }
    }
  }
}
