import '@tensorflow/tfjs-backend-cpu';
import '@tensorflow/tfjs-backend-wasm';
import * as tf from '@tensorflow/tfjs-core';
import Table from 'cli-table3';
import { wasmBackend } from '../../main/trainer/backends/wasm.ts';
import { explicitPadding } from '../../main/trainer/kernels/window.ts';

/**
 * What completing TensorFlow.js's `wasm` backend brings: milliseconds of each gradient kernel, beside the
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

await tf.setBackend('wasm');
const own = new Map(CASES.map(({ kernel }) => [kernel, tf.getKernel(kernel, 'wasm')]));
const ownTimes = CASES.map((entry) => {
  return own.get(entry.kernel) == null ? null : fastest(prepare(entry).backward);
});
await tf.setBackend('cpu');
const cpuTimes = CASES.map((entry) => fastest(prepare(entry).backward, 1));
await wasmBackend.open();
const table = new Table({
  head: ['kernel', 'shape', 'forward', 'here', "package's own", 'times', 'cpu', 'times'],
  colAligns: ['left', 'left', 'right', 'right', 'right', 'right', 'right', 'right'],
  style: { head: [], border: [], compact: true },
});
for (const [i, entry] of CASES.entries()) {
  const { forward, backward } = prepare(entry);
  const here = fastest(backward);
  const ms = (time: number | null | undefined): string =>
    time == null ? 'missing' : `${time.toFixed(1)} ms`;
  const ratio = (time: number | null | undefined): string =>
    time == null ? '' : `${(time / here).toFixed(1)}x`;
  const { n, side, channels, outputs, window, stride } = entry;
  table.push([
    entry.kernel,
    `${n}x${side}x${side}x${channels} to ${outputs}, ${window}x${window}, stride ${stride}`,
    ms(fastest(forward)),
    ms(here),
    ms(ownTimes[i]),
    ratio(ownTimes[i]),
    ms(cpuTimes[i]),
    ratio(cpuTimes[i]),
  ]);
}
console.log(table.toString());
