// Runs fused operations of a setup of TensorFlow on fixed numbers and prints their results as JSON, name by name, in
// base64: in a process of its own, because a process reads once how many threads and which instructions there are.
// node operations-script.mjs FOLDER ROWS
import { createRequire } from 'node:module';
import { join } from 'node:path';
import util from 'node:util';

const old = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (util));
old['isNullOrUndefined'] ??= (/** @type {unknown} */ value) => value === null || value === undefined;
old['isArray'] ??= Array.isArray;

const [folder = '', count = ''] = process.argv.slice(2);
const rows = Number(count);
const load = createRequire(join(folder, 'package.json'));
const tf = load('@tensorflow/tfjs-node');
load('./operations/zigzag_operations.node');
const backend = tf.backend();
const { TF_ATTR_BOOL, TF_ATTR_FLOAT } = backend.binding;

const WIDTH = 67;
/** @param {number} seed @param {readonly number[]} shape */
const tensor = (seed, shape) => {
  const size = shape.reduce((product, extent) => product * extent, 1);
  return tf.tensor(
    Float32Array.from({ length: size }, (_value, i) => Math.sin(seed + 0.37 * i)),
    shape,
  );
};
/** @param {number} type @param {Readonly<Record<string, unknown>>} values */
const attributes = (type, values) => Object.entries(values).map(([name, value]) => ({ name, type, value }));

/** @type {Record<string, string>} */
const results = {};
/** @param {string} name @param {readonly unknown[]} inputs @param {number} outputs @param {readonly unknown[]} given */
const run = (name, inputs, outputs, given = []) => {
  const made = backend.executeMultipleOutputs(name, given, inputs, outputs);
  for (const [i, output] of made.entries()) {
    results[`${name} ${i}`] = Buffer.from(output.dataSync().buffer).toString('base64');
  }
  return made;
};

const [x, dy] = [tensor(1, [rows, WIDTH]), tensor(2, [rows, WIDTH])];
const [scale, shift] = [tensor(3, [WIDTH]), tensor(4, [WIDTH])];
const [weight, wide] = [tensor(5, [WIDTH, 41]), tensor(6, [rows, 41])];
const heads = [7, 8].map((seed) => tensor(seed, [Math.ceil(rows / 60), 30, 2, 9]));
run('ZigzagGelu', [x], 1);
run('ZigzagGeluGradient', [dy, x], 1);
run('ZigzagSoftmax', [x], 1);
run('ZigzagChannelSum', [x], 1);
const [, mean, inverse] = run(
  'ZigzagLayerNorm',
  [x, scale, shift],
  3,
  attributes(TF_ATTR_FLOAT, { epsilon: 1e-5 }),
);
run('ZigzagLayerNormGradient', [x, dy, scale, mean, inverse], 3);
run('ZigzagLinear', [x, weight, tf.tensor1d([])], 1, attributes(TF_ATTR_BOOL, { transposed: false }));
run(
  'ZigzagLinearGradient',
  [x, wide, weight],
  3,
  attributes(TF_ATTR_BOOL, { wanted: true, bias: true, transposed: false }),
);
run(
  'ZigzagHeadProduct',
  heads,
  1,
  attributes(TF_ATTR_BOOL, {
    headsA: true,
    headsB: true,
    headsOut: false,
    transposeA: false,
    transposeB: true,
  }),
);
console.log(JSON.stringify(results));
