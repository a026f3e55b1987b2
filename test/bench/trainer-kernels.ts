import '@tensorflow/tfjs-backend-cpu';
import '@tensorflow/tfjs-backend-wasm';
import * as tf from '@tensorflow/tfjs-core';
import Table from 'cli-table3';
import { wasmBackend } from '../../main/trainer/backends/wasm.ts';
import { explicitPadding } from '../../main/trainer/kernels/window.ts';

/**
 * The gain from completing TensorFlow.js's `wasm` backend: milliseconds of each completed kernel, beside the
 * package's own where it has one, the plain `cpu` backend, and the forward of the same convolution.
 */
interface Case {
  readonly kernel: string;
  readonly inputs: readonly string[];
  readonly n: number;
  readonly side: number;
  readonly channels: number;
  readonly outputs: number;
  readonly window: number;
  readonly stride: number;
}

const conv = { n: 2, side: 56, channels: 64, outputs: 64, window: 3, stride: 1 };
const strided = { ...conv, outputs: 128, stride: 2 };
const deep = { ...conv, side: 7, channels: 512, outputs: 512 };
const depthwise = { ...conv, side: 28, channels: 128, outputs: 1, window: 5 };
const CASES: readonly Case[] = [
  ...[conv, strided, deep].flatMap((shape) => [
    { kernel: 'Conv2DBackpropInput', inputs: ['dy', 'filter'], ...shape },
    { kernel: 'Conv2DBackpropFilter', inputs: ['x', 'dy'], ...shape },
  ]),
  { kernel: 'DepthwiseConv2dNativeBackpropInput', inputs: ['dy', 'filter'], ...depthwise },
  { kernel: 'DepthwiseConv2dNativeBackpropFilter', inputs: ['x', 'dy'], ...depthwise },
  { kernel: 'MaxPoolGrad', inputs: ['dy', 'input', 'output'], ...conv, stride: 2 },
];
/** Products of attention: 12 heads of 256 positions. */
const PRODUCTS = [
  { a: [12, 256, 64], b: [12, 256, 64], transposeA: false, transposeB: true },
  { a: [12, 256, 256], b: [12, 256, 64], transposeA: false, transposeB: false },
  { a: [12, 256, 256], b: [12, 256, 64], transposeA: true, transposeB: false },
] as const;
const ROUNDS = 5;

/** Fastest of a few runs: the least disturbed one. */
function fastest(run: () => unknown, rounds = ROUNDS): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rounds; i++) {
    const started = performance.now();
    tf.tidy(() => void run());
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

function prepare({ kernel, inputs, n, side, channels, outputs, window, stride }: Case) {
  const before = Math.floor(window / 2);
  const pad = explicitPadding([before, before, before, before]);
  const attributes = { strides: [stride, stride], pad, dataFormat: 'NHWC', dilations: [1, 1] };
  const isDepthwise = kernel.startsWith('Depthwise');
  const x = tf.randomNormal([n, side, side, channels], 0, 1, 'float32', 1);
  const filter = tf.randomNormal([window, window, channels, outputs], 0, 1, 'float32', 2);
  const run = (name: string, given: tf.NamedTensorMap, more: object): tf.Tensor =>
    tf.engine().runKernel(name, given, { ...attributes, ...more } as tf.NamedAttrMap) as tf.Tensor;
  const isPool = kernel === 'MaxPoolGrad';
  const forward = () => {
    if (isPool) return run('MaxPool', { x }, { filterSize: [window, window] });
    return run(isDepthwise ? 'DepthwiseConv2dNative' : 'Conv2D', { x, filter }, {});
  };
  const output = forward();
  const all: Record<string, tf.Tensor> = { x, input: x, filter, output, dy: tf.onesLike(output) };
  const given: tf.NamedTensorMap = Object.fromEntries(inputs.map((name) => [name, all[name] as tf.Tensor]));
  const more = { inputShape: x.shape, filterShape: filter.shape, filterSize: [window, window] };
  return { forward, backward: () => run(kernel, given, more) };
}

interface Entry {
  readonly kernel: string;
  readonly shape: string;
  /** Fresh tensors on the current backend; no forward where the kernel is one itself. */
  prepare(): { readonly forward: (() => unknown) | null; readonly kernel: () => unknown };
}

const ENTRIES: readonly Entry[] = [
  ...CASES.map((entry): Entry => {
    const { kernel, n, side, channels, outputs, window, stride } = entry;
    return {
      kernel,
      shape: `${n}x${side}x${side}x${channels} to ${outputs}, ${window}x${window}, stride ${stride}`,
      prepare() {
        const { forward, backward } = prepare(entry);
        return { forward, kernel: backward };
      },
    };
  }),
  ...PRODUCTS.map(({ a, b, transposeA, transposeB }): Entry => {
    const named = (shape: readonly number[], transposed: boolean): string =>
      `${shape.join('x')}${transposed ? ' transposed' : ''}`;
    return {
      kernel: 'BatchMatMul',
      shape: `${named(a, transposeA)} by ${named(b, transposeB)}`,
      prepare() {
        const left = tf.randomNormal([...a], 0, 1, 'float32', 1);
        const right = tf.randomNormal([...b], 0, 1, 'float32', 2);
        return { forward: null, kernel: () => tf.matMul(left, right, transposeA, transposeB) };
      },
    };
  }),
];

await tf.setBackend('wasm');
const ownTimes = ENTRIES.map((entry) =>
  tf.getKernel(entry.kernel, 'wasm') == null ? null : fastest(entry.prepare().kernel),
);
await tf.setBackend('cpu');
const cpuTimes = ENTRIES.map((entry) => fastest(entry.prepare().kernel, 1));
await wasmBackend.open();
const table = new Table({
  head: ['kernel', 'shape', 'forward', 'here', "package's own", 'times', 'cpu', 'times'],
  colAligns: ['left', 'left', 'right', 'right', 'right', 'right', 'right', 'right'],
  style: { head: [], border: [], compact: true },
});
for (const [i, entry] of ENTRIES.entries()) {
  const { forward, kernel } = entry.prepare();
  const here = fastest(kernel);
  const ms = (time: number | null | undefined): string =>
    time == null ? 'missing' : `${time.toFixed(1)} ms`;
  const ratio = (time: number | null | undefined): string =>
    time == null ? '' : `${(time / here).toFixed(1)}x`;
  table.push([
    entry.kernel,
    entry.shape,
    forward === null ? '' : ms(fastest(forward)),
    ms(here),
    ms(ownTimes[i]),
    ratio(ownTimes[i]),
    ms(cpuTimes[i]),
    ratio(cpuTimes[i]),
  ]);
}
console.log(table.toString());
