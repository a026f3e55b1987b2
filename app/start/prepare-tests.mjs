#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { aptInstall } from './apt.mjs';
import { findTorchPython } from './python.mjs';
import { fail, ROOT, say } from './root.mjs';
import { run, runNode } from './run.mjs';
import { ADDON } from './setup-tensorflow.mjs';

/**
 * What `.ci/run` prepares besides `npm test`: PyTorch and TensorFlow for the tests against them. Whatever cannot be
 * had is said, and its tests are skipped.
 */
const ADDON_LIMIT_MS = 10 * 60_000;

async function preparePytorch() {
  if (findTorchPython()) return undefined;
  return aptInstall('the tests against PyTorch', ['python3-torch', 'python3-torchvision']);
}

/** @param {readonly [string, ...string[]]} command */
async function succeeds([program, ...args]) {
  return (await run(program, args, { output: 'ignore' })).code === 0;
}

async function prepareTensorflow() {
  if (process.env['ZIGZAG_TENSORFLOW'] || existsSync(ADDON)) return undefined;
  const missing = [];
  if (!(await succeeds(['python3', '-m', 'pip', '--version']))) missing.push('python3-pip');
  if (!(await succeeds(['g++', '--version']))) missing.push('g++');
  const obstacle = missing.length > 0 ? await aptInstall("TensorFlow's addon", missing) : undefined;
  if (obstacle) return obstacle;
  const { code } = await runNode([join(ROOT, 'app/start/setup-tensorflow.mjs')], {
    output: 'stderr',
    timeoutMs: ADDON_LIMIT_MS,
  });
  return code === 0 ? undefined : 'its addon could not be built: see the message above';
}

async function main() {
  for (const [name, prepare] of /** @type {const} */ ([
    ['PyTorch', preparePytorch],
    ['TensorFlow', prepareTensorflow],
  ])) {
    const obstacle = await prepare();
    say(`${name} for the tests: ${obstacle ?? 'ready'}`);
  }
}

main().catch(fail);
