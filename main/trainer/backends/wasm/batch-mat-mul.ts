import { type TensorInfo, util } from '@tensorflow/tfjs-core';
import { writeRows } from './linear.ts';
import { addressOf, allocate, call, input, intsAt, withScratch, type WasmKernelCall } from './heap.ts';
import { COLUMNS, ROWS, simd } from './simd.ts';

interface BatchMatMulAttributes {
  readonly transposeA: boolean;
  readonly transposeB: boolean;
}

/** Workspace of one product whose left side is transposed, in bytes. */
const WORKSPACE = 32 * 1024 * 1024;

/**
 * Products of many matrices, or of transposed ones. TensorFlow.js's own kernel repacks the right side after every
 * change, and computes all but one plain product number by number.
 */
export function batchMatMul(kernelCall: WasmKernelCall<BatchMatMulAttributes>): TensorInfo {
  const { backend, attrs } = kernelCall;
  const a = input(kernelCall, 'a');
  const b = input(kernelCall, 'b');
  const [left, right] = [matricesOf(a), matricesOf(b)];
  const outer = outerOf(a, left.count, b, right.count);
  if (outer === null || (attrs.transposeA && attrs.transposeB)) {
    return call(backend, ORIGINAL_BATCH_MAT_MUL, { a, b }, attrs);
  }
  const m = attrs.transposeA ? left.columns : left.rows;
  const n = attrs.transposeB ? right.rows : right.columns;
  const out = allocate(backend, [...outer, m, n]);
  const [from, with_, to] = [a, b, out].map((info) => addressOf(backend, info)) as [number, number, number];
  const count = Math.max(left.count, right.count);
  const matrixAt = (at: number, { count, rows, columns }: Matrices, i: number): number =>
    count === 1 ? at : at + 4 * i * rows * columns;
  const kernels = simd(backend);
  if (attrs.transposeA) {
    const width = 1 + COLUMNS * Math.ceil(n / COLUMNS) + ROWS;
    const most = Math.max(1, Math.min(left.rows, Math.floor(WORKSPACE / (4 * width))));
    withScratch(backend, 8 + 4 * most * width, (at) => {
      intsAt(backend, at, 2).fill(0);
      writeRows(backend, at + 8, most, 4 * m);
      for (let i = 0; i < count; i++) {
        for (let first = 0; first < left.rows; first += most) {
          const places = Math.min(most, left.rows - first);
          const above = matrixAt(from, left, i) + 4 * first * m;
          const beside = matrixAt(with_, right, i) + 4 * first * n;
          kernels.outerProduct(
            ...[above, at + 8, places, at, 1, m, beside, 4 * n, n, at + 8 + 4 * most, to + 4 * i * m * n],
            ...[4 * n, first === 0 ? 1 : 0],
          );
        }
      }
    });
    return out;
  }
  const depth = left.columns;
  withScratch(backend, 8 + 4 * (2 * m + (1 + depth) * COLUMNS), (at) => {
    intsAt(backend, at, 2).fill(0);
    const [rows, outRows, packed] = [at + 8, at + 8 + 4 * m, at + 8 + 8 * m];
    writeRows(backend, rows, m, 4 * depth);
    writeRows(backend, outRows, m, 4 * n);
    for (let i = 0; i < count; i++) {
      kernels.product(
        ...[matrixAt(from, left, i), rows, m, at, 1, depth, matrixAt(with_, right, i), 4 * right.columns],
        ...[attrs.transposeB ? 1 : 0, 0, n, packed, to + 4 * i * m * n, outRows],
      );
    }
  });
  return out;
}

/** Name under which the package's own kernel stays reachable. */
export const ORIGINAL_BATCH_MAT_MUL = 'ZigzagOriginalBatchMatMul';

interface Matrices {
  readonly count: number;
  /** Extents of each matrix as stored. */
  readonly rows: number;
  readonly columns: number;
}

function matricesOf({ shape }: TensorInfo): Matrices {
  const [rows = 1, columns = 1] = shape.slice(-2);
  return { count: util.sizeFromShape(shape.slice(0, -2)), rows, columns };
}

/** Leading axes of the result; null for a broadcast other than one matrix to all. */
function outerOf(a: TensorInfo, countA: number, b: TensorInfo, countB: number): readonly number[] | null {
  const [outerA, outerB] = [a.shape.slice(0, -2), b.shape.slice(0, -2)];
  if (outerA.length !== outerB.length) return null;
  if (util.arraysEqual(outerA, outerB) || countB === 1) return outerA;
  return countA === 1 ? outerB : null;
}
