import { type TensorInfo, util } from '@tensorflow/tfjs-core';
import type { BackendWasm } from '@tensorflow/tfjs-backend-wasm';
import { allocate, call, input, release, valuesOf, type WasmKernelCall } from './heap.ts';
import { transposeBlocked } from './transpose.ts';

interface BatchMatMulAttributes {
  readonly transposeA: boolean;
  readonly transposeB: boolean;
}

/** Multiply-adds of one matrix from which XNNPACK's setup is worth its time. */
const WORTH = 16_384;

/**
 * Products of many matrices, or of transposed ones, each by XNNPACK. TensorFlow.js's own kernel uses it for
 * one plain product only and else loops over single numbers, 4 to 30 times slower from 64x64 on.
 */
export function batchMatMul(kernelCall: WasmKernelCall<BatchMatMulAttributes>): TensorInfo {
  const { backend, attrs } = kernelCall;
  const a = input(kernelCall, 'a');
  const b = input(kernelCall, 'b');
  const left = matricesOf(a, attrs.transposeA);
  const right = matricesOf(b, attrs.transposeB);
  const outer = outerOf(a, left.count, b, right.count);
  const isPlain = left.count * right.count === 1 && !attrs.transposeA && !attrs.transposeB;
  if (isPlain || outer === null || left.rows * left.columns * right.columns < WORTH) {
    return call(backend, ORIGINAL_BATCH_MAT_MUL, { a, b }, attrs);
  }
  const size = left.rows * right.columns;
  const output = allocate(backend, [...outer, left.rows, right.columns]);
  for (let i = 0; i < Math.max(left.count, right.count); i++) {
    const one = matrix(backend, a, left, i);
    const other = matrix(backend, b, right, i);
    const product = call(
      backend,
      ORIGINAL_BATCH_MAT_MUL,
      { a: one, b: other },
      { transposeA: false, transposeB: false },
    );
    release(backend, one);
    release(backend, other);
    valuesOf(backend, output).set(valuesOf(backend, product), i * size);
    release(backend, product);
  }
  return output;
}

/** Name under which the package's own kernel stays reachable. */
export const ORIGINAL_BATCH_MAT_MUL = 'ZigzagOriginalBatchMatMul';

interface Matrices {
  readonly count: number;
  /** Of each after it is transposed, where that is asked for. */
  readonly rows: number;
  readonly columns: number;
  readonly transposed: boolean;
}

function matricesOf({ shape }: TensorInfo, transposed: boolean): Matrices {
  const [first = 1, second = 1] = shape.slice(-2);
  const count = util.sizeFromShape(shape.slice(0, -2));
  return transposed
    ? { count, rows: second, columns: first, transposed }
    : { count, rows: first, columns: second, transposed };
}

/** Leading axes of the result; null where they are broadcast in some other way than one matrix to all. */
function outerOf(a: TensorInfo, countA: number, b: TensorInfo, countB: number): readonly number[] | null {
  const [outerA, outerB] = [a.shape.slice(0, -2), b.shape.slice(0, -2)];
  if (outerA.length !== outerB.length) return null;
  if (util.arraysEqual(outerA, outerB) || countB === 1) return outerA;
  return countA === 1 ? outerB : null;
}

/** A copy of the i-th matrix, [rows, columns]; of the only one where there is one for all. */
function matrix(backend: BackendWasm, from: TensorInfo, matrices: Matrices, i: number): TensorInfo {
  const { count, rows, columns, transposed } = matrices;
  const copy = allocate(backend, [rows, columns]);
  const at = (count === 1 ? 0 : i) * rows * columns;
  const source = valuesOf(backend, from);
  const target = valuesOf(backend, copy);
  if (transposed) transposeBlocked(source, at, target, 0, columns, rows);
  else target.set(source.subarray(at, at + rows * columns));
  return copy;
}
