import { type TensorInfo, util } from '@tensorflow/tfjs-core';
import { batchMatMul } from './batch-mat-mul.ts';
import { allocate, input, reshaped, type WasmKernelCall } from './heap.ts';
import type { LinearAttributes } from './linear.ts';
import { channelSum } from './normalisation.ts';

interface LinearGradientAttributes extends LinearAttributes {
  readonly wanted: boolean;
  readonly bias?: boolean;
}

/** The gradients of input, weight and bias; empty if not wanted, or without a bias. */
export function linearGradient(kernelCall: WasmKernelCall<LinearGradientAttributes>): TensorInfo[] {
  const { backend, attrs } = kernelCall;
  const [x, dy, weight] = ['x', 'dy', 'weight'].map((name) => input(kernelCall, name)) as [
    TensorInfo,
    TensorInfo,
    TensorInfo,
  ];
  const transposed = attrs.transposed === true;
  const product = (a: TensorInfo, b: TensorInfo, transposeA: boolean, transposeB: boolean): TensorInfo =>
    batchMatMul({ backend, inputs: { a, b }, attrs: { transposeA, transposeB } });
  const [left, right] = [rowsOf(x), rowsOf(dy)];
  const own = transposed ? product(right, left, true, false) : product(left, right, true, false);
  return [
    attrs.wanted ? reshaped(product(right, weight, false, !transposed), x.shape) : allocate(backend, [0]),
    own,
    attrs.bias === true ? channelSum({ backend, inputs: { x: right }, attrs: {} }) : allocate(backend, [0]),
  ];
}

/** As a matrix of all but the last axis by the last. */
function rowsOf(info: TensorInfo): TensorInfo {
  const width = info.shape.at(-1) ?? 1;
  return reshaped(info, [util.sizeFromShape(info.shape) / width, width]);
}
