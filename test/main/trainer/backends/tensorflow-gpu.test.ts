import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { operationsFile, targetFolder } from '../../../../app/start/tensorflow-plan.mjs';
import { tensorflowBackend } from '../../../../main/trainer/backends/tensorflow.ts';
import { backendTraits } from '../../../../main/trainer/kernels/traits.ts';
import { freshFolder } from '../../../support/fresh-folder.ts';

const ROOT = join(import.meta.dirname, '../../../..');

/** In place of the addon: the processor's JavaScript, which says that it is a GPU. */
const ADDON = `
const load = require('node:module').createRequire(${JSON.stringify(join(ROOT, 'package.json'))});
const tf = load('@tensorflow/tfjs-core');
const { MathBackendCPU } = load('@tensorflow/tfjs-backend-cpu');
tf.registerBackend('tensorflow', () => Object.assign(new MathBackendCPU(), { isUsingGpuDevice: true }), 3);
module.exports = tf;
`;

const folder = freshFolder();
const before = process.env['ZIGZAG_TENSORFLOW'];
afterAll(() => {
  if (before === undefined) delete process.env['ZIGZAG_TENSORFLOW'];
  else process.env['ZIGZAG_TENSORFLOW'] = before;
});

test('on a GPU no kernel for the processor runs', async () => {
  const real = operationsFile(targetFolder());
  const addon = join(folder, 'node_modules', '@tensorflow', 'tfjs-node');
  mkdirSync(addon, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"zigzag-tensorflow"}');
  writeFileSync(join(addon, 'package.json'), '{"name":"@tensorflow/tfjs-node","main":"index.js"}');
  writeFileSync(join(addon, 'index.js'), ADDON);
  // If a setup built them, they are there and would load.
  mkdirSync(join(folder, 'operations'));
  if (existsSync(real)) symlinkSync(real, operationsFile(folder));
  process.env['ZIGZAG_TENSORFLOW'] = folder;
  const { device, runsOn } = await tensorflowBackend.open();
  expect({ device, runsOn }).toEqual({
    device: 'TensorFlow on a CUDA GPU, built by npm run setup:tensorflow',
    runsOn: 'gpu',
  });
  expect(backendTraits()).toMatchObject({ fuses: false, ownOperations: false });
});
