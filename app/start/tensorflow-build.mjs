import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { bytesBelow, bytesReadBy, runGuarded } from './guarded.mjs';
import { npmCommand } from './install.mjs';
import { reasonOfNetwork } from './network-reason.mjs';
import { keepWhatRuns } from './tensorflow-kept.mjs';
import { ROOT } from './root.mjs';
import { addonFile, addonPackage, NODE_API, operationsFile, sourceSizes } from './tensorflow-plan.mjs';
import { installWheels, pinnedWheels } from './wheels.mjs';

/**
 * How far it is; without `of` nobody can tell.
 *
 * @typedef {object} Progress
 * @property {'sources' | 'library' | 'unpacking' | 'compiling' | 'trying'} step
 * @property {number} bytes
 * @property {number | null} of
 */

/**
 * @typedef {object} BuildOptions
 * @property {boolean} cuda
 * @property {number} silenceMs
 * @property {AbortSignal} stop
 * @property {(at: Progress) => void} tell
 */

/** A compiler or a library that takes longer than this hangs. */
const LOCAL_LIMIT_MS = 15 * 60_000;
/** Sources of the operations that the trainer's kernels call by their own names. */
const OPERATIONS_SOURCES = join(ROOT, 'main', 'trainer', 'backends', 'tensorflow', 'native');

/**
 * Builds TensorFlow's addon beside a folder and puts it in the folder's place when all of it works, so that however it
 * ends nothing half done is there, and what was there before is as it was.
 *
 * @param {string} folder
 * @param {BuildOptions} options
 * @returns {Promise<string | null>} why it has no fused operations, without which transformers train slower
 * @throws Error or Stopped, in one sentence
 */
export async function buildTensorflow(folder, options) {
  const draft = `${folder}.new`;
  const before = `${folder}.old`;
  // A setup may have been killed between the two renames.
  if (!existsSync(folder) && existsSync(before)) renameSync(before, folder);
  for (const rest of [draft, before]) rmSync(rest, { recursive: true, force: true });
  try {
    mkdirSync(draft, { recursive: true });
    await fetchSources(draft, options);
    await fetchLibrary(draft, options);
    await compileAddon(draft, options);
    const obstacle = (await compileOperations(draft, options)) ?? (await tryOperations(draft, options));
    if (obstacle !== null) rmSync(dirname(operationsFile(draft)), { recursive: true, force: true });
    // Once to learn what runs, and once without the rest.
    keepWhatRuns(draft, await tryAddon(draft, options));
    await tryAddon(draft, options);
    if (existsSync(folder)) renameSync(folder, before);
    renameSync(draft, folder);
    return obstacle;
  } finally {
    for (const rest of [draft, before]) rmSync(rest, { recursive: true, force: true });
  }
}

/**
 * By a lock file of their own, which has the hash of each.
 *
 * @param {string} draft
 * @param {BuildOptions} options
 */
async function fetchSources(draft, { stop, silenceMs, tell }) {
  const { downloadBytes } = sourceSizes();
  const cache = join(draft, 'cache');
  for (const file of ['package.json', 'package-lock.json']) {
    copyFileSync(join(import.meta.dirname, 'tensorflow', file), join(draft, file));
  }
  const watch = {
    look: (/** @type {number} */ pid) => {
      const fetched = bytesBelow(cache);
      tell({ step: 'sources', bytes: Math.min(fetched, downloadBytes), of: downloadBytes });
      return fetched + bytesBelow(join(draft, 'node_modules')) + bytesReadBy(pid);
    },
    silenceMs,
    silence:
      `no byte of the addon's sources arrived for ${Math.round(silenceMs / 1000)} seconds: look at the network, or at ` +
      'the registry and the proxy that npm is set up with, and try again.',
  };
  const { code, said } = await runGuarded(
    [
      ...npmCommand(),
      ...['ci', '--prefix', draft, '--cache', cache, '--ignore-scripts', '--no-audit', '--no-fund'],
      ...['--loglevel=error', '--fetch-retries=1', '--fetch-retry-mintimeout=2000'],
    ],
    { stop, watch },
  );
  rmSync(cache, { recursive: true, force: true });
  if (code === 0) return;
  const network = reasonOfNetwork(said);
  if (network !== null) throw new Error(`the addon's sources could not be fetched, because ${network}.`);
  const last = /^npm (?:error|ERR!) (?!code)(.+)$/m.exec(said)?.[1] ?? 'and said nothing';
  throw new Error(
    `npm ended with exit code ${code} (${last}): look at the registry that npm is set up with.`,
  );
}

/**
 * @param {string} draft
 * @param {BuildOptions} options
 */
async function fetchLibrary(draft, { cuda, ...options }) {
  const { platform, arch } = process;
  const scratch = join(draft, 'scratch');
  mkdirSync(scratch);
  await installWheels(pinnedWheels({ platform, arch, cuda }), join(draft, 'python'), {
    arch,
    scratch,
    ...options,
  });
  rmSync(scratch, { recursive: true, force: true });
}

/** @param {string} folder @param {string} prefix */
function libraryNamed(folder, prefix) {
  const name = readdirSync(folder).find((file) => file.startsWith(prefix));
  if (name === undefined)
    throw new Error(`the wheel holds no ${prefix}: this TensorFlow cannot be used from Node.`);
  return join(folder, name);
}

/**
 * @param {readonly [string, ...string[]]} command
 * @param {BuildOptions} options
 * @param {NodeJS.ProcessEnv} [env]
 */
function runLocally(command, { stop }, env = {}) {
  const silence = `${command[0]} did not end within ${LOCAL_LIMIT_MS / 60_000} minutes: try again on a calmer machine.`;
  return runGuarded(command, { stop, env, watch: { look: () => 0, silenceMs: LOCAL_LIMIT_MS, silence } });
}

/**
 * Compiles a library for Node that lies beside TensorFlow's, and finds it when the folder is moved.
 *
 * @param {string} draft
 * @param {BuildOptions} options
 * @param {{ sources: readonly string[], flags: readonly string[], target: string }} what
 * @returns {Promise<string | null>} why not
 */
async function compile(draft, options, { sources, flags, target }) {
  const library = join(draft, 'python', 'tensorflow');
  mkdirSync(dirname(target), { recursive: true });
  const includes = [join(draft, 'node_modules', 'node-api-headers', 'include'), join(library, 'include')];
  const { code, said } = await runLocally(
    [
      'g++',
      ...['-std=c++17', ...flags, '-w', '-fPIC', '-shared', `-DNAPI_VERSION=${NODE_API}`],
      ...includes.map((folder) => `-I${folder}`),
      ...sources,
      libraryNamed(library, 'libtensorflow_cc.so'),
      libraryNamed(library, 'libtensorflow_framework.so'),
      `-Wl,-rpath,$ORIGIN/${relative(dirname(target), library)}`,
      ...['-o', target],
    ],
    options,
    { TMPDIR: draft },
  );
  if (code === 0) return null;
  return (/^.*\b(?:error|fatal)\b.*$/m.exec(said)?.[0] ?? `exit code ${code}`).trim();
}

/**
 * @param {string} draft
 * @param {BuildOptions} options
 */
async function compileAddon(draft, options) {
  options.tell({ step: 'compiling', bytes: 0, of: null });
  const sources = ['tfjs_backend.cc', 'tfjs_binding.cc'].map((file) =>
    join(addonPackage(draft), 'binding', file),
  );
  const obstacle = await compile(draft, options, { sources, flags: ['-O2'], target: addonFile(draft) });
  if (obstacle === null) return;
  throw new Error(`g++ could not compile the addon (${obstacle}): is it a compiler of C++17 or newer?`);
}

/**
 * @param {string} draft
 * @param {BuildOptions} options
 */
function compileOperations(draft, options) {
  const sources = ['operations.cc', 'loops.cc', 'threads.cc'].map((file) => join(OPERATIONS_SOURCES, file));
  return compile(draft, options, { sources, flags: ['-O3', '-pthread'], target: operationsFile(draft) });
}

/** Start of a script that loads TensorFlow's addon. */
const START_OF_SCRIPT = `
  const util = require('node:util');
  util.isNullOrUndefined ??= (value) => value == null;
  util.isArray ??= Array.isArray;`;

/** @param {string} said @param {number | null} code */
const reasonIn = (said, code) =>
  (/^(?:\w*Error|terminate called).*$/m.exec(said)?.[0] ?? `exit code ${code}`).trim();

/**
 * Loads it once, in a process of its own: a library that does not fit ends the process.
 *
 * @param {string} draft
 * @param {BuildOptions} options
 * @returns {Promise<string[]>} the files that Node loaded for it
 */
async function tryAddon(draft, options) {
  options.tell({ step: 'trying', bytes: 0, of: null });
  const list = join(draft, 'loaded.json');
  const script = `${START_OF_SCRIPT}
    const tf = require(${JSON.stringify(addonPackage(draft))});
    const [nine] = tf.matMul(tf.ones([1, 9]), tf.ones([9, 1])).dataSync();
    const files = Object.keys(require.cache);
    require('node:fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(files));
    process.exit(nine === 9 ? 0 : 1);`;
  const { code, said } = await runLocally([process.execPath, '-e', script], options, {
    TF_CPP_MIN_LOG_LEVEL: '2',
  });
  if (code === 0) {
    const files = JSON.parse(readFileSync(list, 'utf8'));
    rmSync(list);
    return files;
  }
  throw new Error(`the addon was built but does not run here (${reasonIn(said, code)}).`);
}

/**
 * As the addon: in a process of its own.
 *
 * @param {string} draft
 * @param {BuildOptions} options
 * @returns {Promise<string | null>} why they do not run
 */
async function tryOperations(draft, options) {
  const script = `${START_OF_SCRIPT}
    const tf = require(${JSON.stringify(addonPackage(draft))});
    require(${JSON.stringify(operationsFile(draft))});
    const [half] = tf.backend().executeSingleOutput('ZigzagSoftmax', [], [tf.zeros([1, 2])]).dataSync();
    process.exit(half === 0.5 ? 0 : 1);`;
  const { code, said } = await runLocally([process.execPath, '-e', script], options, {
    TF_CPP_MIN_LOG_LEVEL: '2',
  });
  return code === 0 ? null : reasonIn(said, code);
}
