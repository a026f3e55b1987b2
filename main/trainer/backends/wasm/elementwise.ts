import { type TensorInfo, util } from '@tensorflow/tfjs-core';
import { addressOf, allocate, call, input, type WasmKernelCall } from './heap.ts';
import { type SimdKernels, simd } from './simd.ts';

/** An elementwise kernel: `out` from inputs of the same size and numeric attributes. */
export function elementwise(
  name: keyof SimdKernels,
  inputs: readonly string[],
  numbers: readonly string[] = [],
): (kernelCall: WasmKernelCall<Readonly<Record<string, number>>>) => TensorInfo {
  return (kernelCall) => {
    const { backend, attrs } = kernelCall;
    const given = inputs.map((from) => input(kernelCall, from));
    const out = allocate(backend, given[0]?.shape ?? []);
    const addresses = [...given, out].map((info) => addressOf(backend, info));
    const reals = numbers.map((number) => attrs[number] ?? 0);
    simd(backend)[name](...addresses, util.sizeFromShape(out.shape), ...reals);
    return out;
  };
}

const addSame = elementwise('add', ['a', 'b']);
/** Name under which the package's own kernel stays reachable. */
export const ORIGINAL_ADD = 'ZigzagOriginalAdd';

/** Sums of tensors of one shape without broadcasting. */
export function addition(kernelCall: WasmKernelCall<Readonly<Record<string, number>>>): TensorInfo {
  const [a, b] = [input(kernelCall, 'a'), input(kernelCall, 'b')];
  const plain = a.dtype === 'float32' && b.dtype === 'float32' && util.arraysEqual(a.shape, b.shape);
  return plain ? addSame(kernelCall) : call(kernelCall.backend, ORIGINAL_ADD, { a, b }, kernelCall.attrs);
}

/** Momentum in place, in the tensor `velocity`; returns the next parameter. */
export const descent = (
  kernelCall: WasmKernelCall<{ readonly momentum: number; readonly learningRate: number }>,
): TensorInfo => {
  const { backend, attrs } = kernelCall;
  const given = ['parameter', 'velocity', 'gradient'].map((from) => input(kernelCall, from));
  const out = allocate(backend, given[0]?.shape ?? []);
  const addresses = [...given, out].map((info) => addressOf(backend, info));
  simd(backend).descend(...addresses, util.sizeFromShape(out.shape), attrs.momentum, attrs.learningRate);
  return out;
};
