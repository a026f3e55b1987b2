import { type TensorInfo, util } from '@tensorflow/tfjs-core';
import type { BackendWasm } from '@tensorflow/tfjs-backend-wasm';
import { addressOf, allocate, input, intsAt, withScratch, type WasmKernelCall } from './heap.ts';
import { COLUMNS, ROWS, simd } from './simd.ts';

export interface LinearAttributes {
  /** The weight is [outputs, features], as the table of an embedding. */
  readonly transposed?: boolean;
}

/** [..., features] times a weight [features, outputs], plus a bias where there is one. */
export function linear(kernelCall: WasmKernelCall<LinearAttributes>): TensorInfo {
  const { backend, inputs, attrs } = kernelCall;
  const [x, weight] = [input(kernelCall, 'x'), input(kernelCall, 'weight')];
  const transposed = attrs.transposed === true;
  const [height = 1, width = 1] = weight.shape;
  const [features, outputs] = transposed ? [width, height] : [height, width];
  const m = util.sizeFromShape(x.shape) / features;
  const out = allocate(backend, [...x.shape.slice(0, -1), outputs]);
  const bias = inputs['bias'] === undefined ? 0 : addressOf(backend, inputs['bias']);
  withScratch(backend, 8 + 4 * (2 * m + (1 + features) * COLUMNS), (at) => {
    const [rows, outRows, packed] = [at + 8, at + 8 + 4 * m, at + 8 + 8 * m];
    intsAt(backend, at, 2).fill(0);
    writeRows(backend, rows, m, 4 * features);
    writeRows(backend, outRows, m, 4 * outputs);
    simd(backend).product(
      ...[addressOf(backend, x), rows, m, at, 1, features, addressOf(backend, weight), 4 * width],
      ...[transposed ? 1 : 0, bias, outputs, packed, addressOf(backend, out), outRows],
    );
  });
  return out;
}

/** Rows of a table [count, width] by the whole numbers of a tensor, each below `count`. */
export function gatherRows(kernelCall: WasmKernelCall<object>): TensorInfo {
  const { backend } = kernelCall;
  const [table, places] = [input(kernelCall, 'table'), input(kernelCall, 'places')];
  const width = table.shape[1] ?? 1;
  const out = allocate(backend, [...places.shape, width]);
  const addresses = [table, places, out].map((info) => addressOf(backend, info));
  simd(backend).gatherRows(...addresses, util.sizeFromShape(places.shape), width);
  return out;
}

/** Offsets of rows at this distance in bytes. */
export function writeRows(backend: BackendWasm, at: number, count: number, bytes: number): void {
  const to = intsAt(backend, at, count);
  for (let i = 0; i < count; i++) to[i] = bytes * i;
}

/** A tensor as matrices: [N, L, heads, each] is N * heads of [L, each], every other [N, heads, rows, columns] as it lies. */
export interface HeadProductAttributes {
  readonly headsA: boolean;
  readonly headsB: boolean;
  readonly headsOut: boolean;
  readonly transposeA: boolean;
  readonly transposeB: boolean;
}

interface Side {
  readonly n: number;
  readonly heads: number;
  readonly rows: number;
  readonly columns: number;
  /** Bytes from a row to the next, a head to the next, a sample to the next. */
  readonly stride: number;
  readonly perHead: number;
  readonly perSample: number;
}

function sideOf(shape: readonly number[], byHead: boolean): Side {
  const [n = 1, second = 1, third = 1, columns = 1] = shape;
  const [heads, rows] = byHead ? [third, second] : [second, third];
  const stride = byHead ? 4 * heads * columns : 4 * columns;
  const perHead = byHead ? 4 * columns : 4 * rows * columns;
  return { n, heads, rows, columns, stride, perHead, perSample: 4 * heads * rows * columns };
}

/** One product per attention head, reading and writing in place. */
export function headProduct(kernelCall: WasmKernelCall<HeadProductAttributes>): TensorInfo {
  const { backend, attrs } = kernelCall;
  const [a, b] = [input(kernelCall, 'a'), input(kernelCall, 'b')];
  const [left, right] = [sideOf(a.shape, attrs.headsA), sideOf(b.shape, attrs.headsB)];
  const { n, heads } = left;
  const m = attrs.transposeA ? left.columns : left.rows;
  const columns = attrs.transposeB ? right.rows : right.columns;
  const depth = attrs.transposeA ? left.rows : left.columns;
  const shape = attrs.headsOut ? [n, m, heads, columns] : [n, heads, m, columns];
  const out = allocate(backend, shape);
  const target = sideOf(shape, attrs.headsOut);
  const kernels = simd(backend);
  const packedWidth = COLUMNS * Math.ceil(columns / COLUMNS) + ROWS;
  const packedSize = attrs.transposeA ? depth * packedWidth : (1 + depth) * COLUMNS;
  withScratch(backend, 8 + 4 * (left.rows + m + packedSize), (at) => {
    const [rows, outRows, packed] = [at + 8, at + 8 + 4 * left.rows, at + 8 + 4 * (left.rows + m)];
    intsAt(backend, at, 2).fill(0);
    writeRows(backend, rows, left.rows, left.stride);
    writeRows(backend, outRows, m, target.stride);
    const [from, beside, to] = [a, b, out].map((info) => addressOf(backend, info)) as [
      number,
      number,
      number,
    ];
    for (let sample = 0; sample < n; sample++) {
      for (let head = 0; head < heads; head++) {
        const place = (start: number, { perSample, perHead }: Side): number =>
          start + sample * perSample + head * perHead;
        const [above, other, result] = [place(from, left), place(beside, right), place(to, target)];
        if (attrs.transposeA) {
          kernels.outerProduct(
            ...[above, rows, depth, at, 1, m, other, right.stride, columns, packed, result, target.stride, 1],
          );
        } else {
          kernels.product(
            ...[above, rows, m, at, 1, depth, other, right.stride, attrs.transposeB ? 1 : 0, 0, columns],
            ...[packed, result, outRows],
          );
        }
      }
    }
  });
  return out;
}
