import type { TensorInfo } from '@tensorflow/tfjs-core';
import { addressOf, allocate, floatsAt, input, valuesOf, withScratch, type WasmKernelCall } from './heap.ts';
import { simd } from './simd.ts';

interface ScoresAttributes {
  readonly causal: boolean;
  readonly divisor: number;
}

function extentsOf({ shape }: TensorInfo): [rows: number, width: number] {
  const width = shape.at(-1) ?? 1;
  return [shape.reduce((product, extent) => product * extent, 1) / width, width];
}

/** The softmax of scores [heads, L, L], and the logarithm of every row's sum of exponentials, [heads, L, 1]. */
export function attentionShares(kernelCall: WasmKernelCall<ScoresAttributes>): TensorInfo[] {
  const { backend, attrs } = kernelCall;
  const x = input(kernelCall, 'x');
  const [rows, width] = extentsOf(x);
  const out = allocate(backend, x.shape);
  const logarithms = allocate(backend, [...x.shape.slice(0, -1), 1]);
  withScratch(backend, 4 * rows, (sums) => {
    const [from, to, tops] = [x, out, logarithms].map((info) => addressOf(backend, info)) as [
      number,
      number,
      number,
    ];
    const causal = attrs.causal ? 1 : 0;
    simd(backend).attentionShares(from, to, tops, sums, 0, rows, width, causal, attrs.divisor);
    // The kernels have no logarithm.
    const [values, totals] = [valuesOf(backend, logarithms), floatsAt(backend, sums, rows)];
    for (let i = 0; i < rows; i++) values[i] = values[i]! + Math.log(totals[i]!);
  });
  return [out, logarithms];
}

/** The same softmax, recomputed. */
export function attentionSharesAgain(kernelCall: WasmKernelCall<ScoresAttributes>): TensorInfo {
  const { backend, attrs } = kernelCall;
  const x = input(kernelCall, 'x');
  const out = allocate(backend, x.shape);
  const given = [x, input(kernelCall, 'logarithms'), out].map((info) => addressOf(backend, info));
  simd(backend).attentionSharesAgain(...given, 0, ...extentsOf(x), attrs.causal ? 1 : 0, attrs.divisor);
  return out;
}

/** The scores' gradient from that of their softmax. */
export function attentionScoresGradient(
  kernelCall: WasmKernelCall<Pick<ScoresAttributes, 'divisor'>>,
): TensorInfo {
  const { backend, attrs } = kernelCall;
  const p = input(kernelCall, 'p');
  const out = allocate(backend, p.shape);
  const given = [p, input(kernelCall, 'dp'), input(kernelCall, 'slopes'), out];
  const addresses = given.map((info) => addressOf(backend, info));
  simd(backend).attentionScoresGradient(...addresses, ...extentsOf(p), attrs.divisor);
  return out;
}
