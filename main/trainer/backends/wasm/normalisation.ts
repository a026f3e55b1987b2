import type { TensorInfo } from '@tensorflow/tfjs-core';
import type { BackendWasm } from '@tensorflow/tfjs-backend-wasm';
import { addressOf, allocate, floatsAt, input, valuesOf, withScratch, type WasmKernelCall } from './heap.ts';
import { simd } from './simd.ts';

interface Epsilon {
  readonly epsilon: number;
}

/** A matrix of all but the last axis by the last: its rows and columns. */
function extentsOf({ shape }: TensorInfo): [rows: number, columns: number] {
  const columns = shape.at(-1) ?? 1;
  return [shape.reduce((product, extent) => product * extent, 1) / columns, columns];
}

/** Sums [..., C] to [C]. */
export function channelSum(kernelCall: WasmKernelCall<object>): TensorInfo {
  const { backend } = kernelCall;
  const x = input(kernelCall, 'x');
  const [rows, columns] = extentsOf(x);
  const out = allocate(backend, [columns]);
  simd(backend).columnSum(addressOf(backend, x), addressOf(backend, out), rows, columns, 1);
  return out;
}

/** The output, the mean and the biased variance of each channel. */
export function batchNorm(kernelCall: WasmKernelCall<Epsilon>): TensorInfo[] {
  const { backend, attrs } = kernelCall;
  const [x, scale, shift] = ['x', 'scale', 'shift'].map((name) => input(kernelCall, name)) as Three;
  const [rows, columns] = extentsOf(x);
  const [out, mean, variance] = [x.shape, [columns], [columns]].map((shape) =>
    allocate(backend, shape),
  ) as Three;
  const at = (info: TensorInfo): number => addressOf(backend, info);
  const kernels = simd(backend);
  kernels.columnSum(at(x), at(mean), rows, columns, 1 / rows);
  kernels.columnSquares(at(x), at(mean), at(variance), rows, columns, 1 / rows);
  withScratch(backend, 4 * columns, (factor) => {
    const factors = floatsAt(backend, factor, columns);
    const [scales, variances] = [valuesOf(backend, scale), valuesOf(backend, variance)];
    for (let i = 0; i < columns; i++) factors[i] = scales[i]! / Math.sqrt(variances[i]! + attrs.epsilon);
    kernels.normalise(at(x), at(mean), factor, at(shift), at(out), rows, columns);
  });
  return [out, mean, variance];
}

type Three = [TensorInfo, TensorInfo, TensorInfo];

/**
 * The gradients of scale and shift, and of the input where it is wanted. With σ the deviation and M rows:
 * (dy - Σdy/M - x̂ Σ(dy·x̂)/M) scale/σ, x̂ = (x - mean)/σ.
 */
export function batchNormGradient(
  kernelCall: WasmKernelCall<Epsilon & { readonly wanted: boolean }>,
): TensorInfo[] {
  const { backend, attrs } = kernelCall;
  const [x, dy, mean] = ['x', 'dy', 'mean'].map((name) => input(kernelCall, name)) as Three;
  const [rows, columns] = extentsOf(x);
  const [scaleGradient, shiftGradient] = [allocate(backend, [columns]), allocate(backend, [columns])];
  const dx = attrs.wanted ? allocate(backend, x.shape) : null;
  const at = (info: TensorInfo): number => addressOf(backend, info);
  const kernels = simd(backend);
  kernels.columnSum(at(dy), at(shiftGradient), rows, columns, 1);
  kernels.columnProducts(at(x), at(dy), at(mean), at(scaleGradient), rows, columns, 1);
  withScratch(backend, 12 * columns, (scratch) => {
    const [base, slope, factor] = [0, 1, 2].map((i) => floatsAt(backend, scratch + 4 * i * columns, columns));
    const values = (name: string): Float32Array => valuesOf(backend, input(kernelCall, name));
    const [scales, variances] = [values('scale'), values('variance')];
    const [products, sums] = [valuesOf(backend, scaleGradient), valuesOf(backend, shiftGradient)];
    for (let i = 0; i < columns; i++) {
      const inverse = 1 / Math.sqrt(variances[i]! + attrs.epsilon);
      // The sum of dy·x̂ in place of dy·(x - mean).
      const product = products[i]! * inverse;
      products[i] = product;
      factor![i] = scales[i]! * inverse;
      slope![i] = (inverse * product) / rows;
      base![i] = sums[i]! / rows;
    }
    if (dx === null) return;
    const per = [0, 1, 2].map((i) => scratch + 4 * i * columns);
    kernels.normaliseGradient(at(x), at(dy), at(mean), ...per, at(dx), rows, columns);
  });
  return [scaleGradient, shiftGradient, ...(dx === null ? [] : [dx])];
}

/** The output, and the mean and the inverse deviation of every row, [..., 1]. */
export function layerNorm(kernelCall: WasmKernelCall<Epsilon>): TensorInfo[] {
  const { backend, attrs } = kernelCall;
  const [x, scale, shift] = ['x', 'scale', 'shift'].map((name) => input(kernelCall, name)) as Three;
  const each = [...x.shape.slice(0, -1), 1];
  const [out, mean, inverse] = [x.shape, each, each].map((shape) => allocate(backend, shape)) as Three;
  const addresses = [x, scale, shift, out, mean, inverse].map((info) => addressOf(backend, info));
  simd(backend).layerNorm(...addresses, ...extentsOf(x), attrs.epsilon);
  return [out, mean, inverse];
}

/** The gradients of the input, scale and shift. */
export function layerNormGradient(kernelCall: WasmKernelCall<object>): TensorInfo[] {
  const { backend } = kernelCall;
  const given = ['x', 'dy', 'scale', 'mean', 'inverse'].map((name) => input(kernelCall, name));
  const x = input(kernelCall, 'x');
  const [rows, columns] = extentsOf(x);
  const results = [x.shape, [columns], [columns]].map((shape) => allocate(backend, shape));
  for (const sums of results.slice(1)) valuesOf(backend, sums).fill(0);
  const addresses = [...given, ...results].map((info) => addressOf(backend, info));
  simd(backend).layerNormGradient(...addresses, rows, columns);
  return results;
}

/** For kernels that have no attributes of their own: rows and columns of `x`. */
export function rowsKernel(
  name: 'softmax' | 'softmaxGradient',
  inputs: readonly string[],
): (kernelCall: WasmKernelCall<object>) => TensorInfo {
  return (kernelCall) => {
    const { backend } = kernelCall;
    const given = inputs.map((from) => input(kernelCall, from));
    const first = given[0] as TensorInfo;
    const out = allocate(backend, first.shape);
    simd(backend)[name](...addresses(backend, [...given, out]), ...extentsOf(first));
    return out;
  };
}

/** Copies of square matrices with a number in place of what lies after the diagonal. */
export function hideLater(kernelCall: WasmKernelCall<{ readonly hidden: number }>): TensorInfo {
  const { backend, attrs } = kernelCall;
  const x = input(kernelCall, 'x');
  const out = allocate(backend, x.shape);
  simd(backend).hideLater(...addresses(backend, [x, out]), 0, ...extentsOf(x), attrs.hidden);
  return out;
}

function addresses(backend: BackendWasm, infos: readonly TensorInfo[]): number[] {
  return infos.map((info) => addressOf(backend, info));
}
