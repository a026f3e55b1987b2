#!/usr/bin/env node
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { npm } from './install.mjs';
import { withLock } from './lock.mjs';
import { fail, STATE, say } from './root.mjs';
import { run, runNode } from './run.mjs';
import { installWheels, namesIn, pinnedWheels } from './wheels.mjs';

/**
 * `npm run setup:tensorflow`: a current TensorFlow for the trainer's backend `tensorflow`.
 *
 * The published packages bring a TensorFlow of 2022 from a server of their own. TensorFlow's own Python wheels carry
 * the same C library, current: this takes the wheel, compiles the addon of @tensorflow/tfjs-node against it, and puts
 * both below .zigzag/tensorflow, where the trainer looks. `--cuda` takes the wheel for NVIDIA GPUs and its CUDA 12.
 * Which wheels, and their hashes, is pinned in app/start/tensorflow.
 */
const FOLDER = join(STATE, 'tensorflow');
const PYTHON_FOLDER = join(FOLDER, 'python');
const ADDON_FOLDER = join(FOLDER, 'node_modules', '@tensorflow', 'tfjs-node');
/** The newest Node-API that the addon's sources know. */
const NODE_API = 8;
export const ADDON = join(ADDON_FOLDER, 'lib', `napi-v${NODE_API}`, 'tfjs_binding.node');

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} remedy
 */
async function must(program, args, remedy) {
  const { code } = await run(program, args, { output: 'stderr' });
  if (code !== 0) throw new Error(`${program} ${args[0]} ended with exit code ${code}: ${remedy}`);
}

/** By a lock file of their own, which has the hash of each. */
async function installSources() {
  say('fetching the sources of the addon');
  for (const file of ['package.json', 'package-lock.json']) {
    copyFileSync(join(import.meta.dirname, 'tensorflow', file), join(FOLDER, file));
  }
  const { code } = await npm([
    'ci',
    '--prefix',
    FOLDER,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]);
  if (code !== 0) throw new Error(`npm ci ended with exit code ${code}: see its message above.`);
}

/** @param {boolean} cuda */
async function installLibrary(cuda) {
  const { platform, arch } = process;
  const wheels = pinnedWheels({ platform, arch, cuda });
  say(`fetching ${namesIn(wheels).join(', ')} (${cuda ? 'several GB' : 'about 300 MB'})`);
  await installWheels(wheels, PYTHON_FOLDER, { arch });
}

/** @param {string} prefix */
function libraryNamed(prefix) {
  const folder = join(PYTHON_FOLDER, 'tensorflow');
  const name = readdirSync(folder).find((file) => file.startsWith(prefix));
  if (name === undefined)
    throw new Error(`the wheel holds no ${prefix}: this TensorFlow cannot be used from Node.`);
  return join(folder, name);
}

async function compileAddon() {
  say('compiling the addon');
  const target = dirname(ADDON);
  mkdirSync(target, { recursive: true });
  const includes = [
    join(FOLDER, 'node_modules', 'node-api-headers', 'include'),
    join(PYTHON_FOLDER, 'tensorflow', 'include'),
  ];
  await must(
    'g++',
    [
      '-std=c++17',
      '-O2',
      '-w',
      '-fPIC',
      '-shared',
      `-DNAPI_VERSION=${NODE_API}`,
      ...includes.map((folder) => `-I${folder}`),
      join(ADDON_FOLDER, 'binding', 'tfjs_backend.cc'),
      join(ADDON_FOLDER, 'binding', 'tfjs_binding.cc'),
      libraryNamed('libtensorflow_cc.so'),
      libraryNamed('libtensorflow_framework.so'),
      // From lib/napi-v8 of the addon to the wheel, so that the folder can be moved.
      `-Wl,-rpath,$ORIGIN/${relative(target, join(PYTHON_FOLDER, 'tensorflow'))}`,
      '-o',
      ADDON,
    ],
    'install a C++ compiler (Debian: g++).',
  );
}

/** Loads it once, in a process of its own: a library that does not fit ends the process. */
async function tryAddon() {
  const script = `
    const util = require('node:util');
    util.isNullOrUndefined ??= (value) => value == null;
    util.isArray ??= Array.isArray;
    const tf = require(${JSON.stringify(ADDON_FOLDER)});
    const [nine] = tf.matMul(tf.ones([1, 9]), tf.ones([9, 1])).dataSync();
    process.exit(nine === 9 ? 0 : 1);`;
  const { code } = await runNode(['-e', script], { output: 'stderr', env: { TF_CPP_MIN_LOG_LEVEL: '2' } });
  if (code === 0) return;
  rmSync(ADDON);
  throw new Error('the addon was built but does not run: see the message above.');
}

async function main() {
  const cuda = process.argv.includes('--cuda');
  // Before anything is fetched.
  pinnedWheels({ platform: process.platform, arch: process.arch, cuda });
  mkdirSync(FOLDER, { recursive: true });
  await withLock('tensorflow', async () => {
    await installSources();
    await installLibrary(cuda);
    await compileAddon();
    await tryAddon();
  });
  say('done: zigzag train MODEL --backend tensorflow');
}

if (process.argv[1] === import.meta.filename) main().catch(fail);
