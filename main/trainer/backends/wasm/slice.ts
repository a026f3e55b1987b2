import { slice_util, type TensorInfo, util } from '@tensorflow/tfjs-core';
import { addressOf, allocate, call, input, valuesOf, type WasmKernelCall } from './heap.ts';
import { simd } from './simd.ts';

interface SliceAttributes {
  readonly begin: number | number[];
  readonly size: number | number[];
}

/** Shorter runs are copied element by element: `copyWithin` costs as much as this many elements. */
const SHORT_RUN = 48;

/**
 * A slice of a float tensor without the copy of the whole tensor that TensorFlow.js's own kernel makes. Walks the
 * leading axes and copies the longest contiguous runs.
 */
export function slice(kernelCall: WasmKernelCall<SliceAttributes>): TensorInfo {
  const { backend, attrs } = kernelCall;
  const x = input(kernelCall, 'x');
  if (x.dtype !== 'float32' || x.shape.length === 0) {
    return call(backend, ORIGINAL_SLICE, { x }, attrs);
  }
  const [begin, size] = slice_util.parseSliceParams(x as never, attrs.begin, attrs.size) as [
    number[],
    number[],
  ];
  const out = allocate(backend, size);
  if (util.sizeFromShape(size) === 0) return out;
  const strides = util.computeStrides(x.shape);
  const from = valuesOf(backend, x);
  const to = valuesOf(backend, out);
  // The run: trailing axes taken whole, and the axis before them.
  let axis = size.length - 1;
  let run = size[axis]!;
  while (axis > 0 && size[axis] === x.shape[axis]) {
    axis--;
    run *= size[axis]!;
  }
  if (size.slice(0, axis).every((extent, i) => extent === x.shape[i])) {
    // One axis is cut: equal runs at equal distances.
    const inner = strides[axis] ?? 1;
    const start = addressOf(backend, x) + 4 * begin[axis]! * inner;
    const rows = util.sizeFromShape(size) / run;
    const stride = 4 * inner * x.shape[axis]!;
    simd(backend).copyRows(start, addressOf(backend, out), rows, run, stride, 4 * run);
    return out;
  }
  let target = 0;
  const walk = (depth: number, offset: number): void => {
    const stride = depth < strides.length ? strides[depth]! : 1;
    const start = offset + begin[depth]! * stride;
    if (depth === axis) {
      if (run < SHORT_RUN) for (let i = 0; i < run; i++) to[target + i] = from[start + i]!;
      else to.set(from.subarray(start, start + run), target);
      target += run;
      return;
    }
    for (let i = 0; i < size[depth]!; i++) walk(depth + 1, start + i * stride);
  };
  walk(0, 0);
  return out;
}

/** Name under which the package's own kernel stays reachable. */
export const ORIGINAL_SLICE = 'ZigzagOriginalSlice';
