import { type TensorInfo, util } from '@tensorflow/tfjs-core';
import { addressOf, allocate, call, input, valuesOf, type WasmKernelCall } from './heap.ts';
import { simd } from './simd.ts';

interface PadAttributes {
  readonly paddings: readonly (readonly [number, number])[];
  readonly constantValue: number;
}

/** Zeros along one axis of a float tensor: equal runs at equal distances. All else as TensorFlow.js does it. */
export function pad(kernelCall: WasmKernelCall<PadAttributes>): TensorInfo {
  const { backend, attrs } = kernelCall;
  const x = input(kernelCall, 'x');
  const padded = attrs.paddings.flatMap(([before, after], axis) => (before + after > 0 ? [axis] : []));
  const [axis = 0] = padded;
  const [before = 0, after = 0] = attrs.paddings[axis] ?? [];
  if (padded.length !== 1 || attrs.constantValue !== 0 || x.dtype !== 'float32') {
    return call(backend, ORIGINAL_PAD, { x }, attrs);
  }
  const inner = util.sizeFromShape(x.shape.slice(axis + 1));
  const extent = x.shape[axis] ?? 1;
  const whole = extent + before + after;
  const out = allocate(backend, x.shape.with(axis, whole));
  valuesOf(backend, out).fill(0);
  const to = addressOf(backend, out) + 4 * before * inner;
  const rows = util.sizeFromShape(x.shape.slice(0, axis));
  const run = extent * inner;
  simd(backend).copyRows(addressOf(backend, x), to, rows, run, 4 * run, 4 * whole * inner);
  return out;
}

/** Name under which the package's own kernel stays reachable. */
export const ORIGINAL_PAD = 'ZigzagOriginalPad';
