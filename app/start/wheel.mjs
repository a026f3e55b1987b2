#!/usr/bin/env node
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { ensureInstalled } from './install.mjs';
import { fail, ROOT, say } from './root.mjs';

/**
 * `npm run wheel [-- FOLDER]`: the Python package as one file that pip installs, dist/python by default. It is zipped
 * here, because that needs neither Python nor the network, and the same sources give the same bytes.
 */
const TORCH = join(ROOT, 'app', 'bridges', 'torch');
const NAME = 'zigzag_lab';
const TAG = 'py3-none-any';

/** The package by its short name, which is another one's on PyPI. */
const ALIAS = `"""The package zigzag_lab by a short name."""
import sys

import zigzag_lab

sys.modules[__name__] = zigzag_lab
`;

/** Platforms with V8 as a wheel. Elsewhere pip would try to build it. */
const HAS_RACER = [
  "(sys_platform == 'linux' and (platform_machine == 'x86_64' or platform_machine == 'aarch64'))",
  "sys_platform == 'darwin'",
  "(sys_platform == 'win32' and (platform_machine == 'AMD64' or platform_machine == 'ARM64'))",
].join(' or ');

/** The oldest time that a zip can hold, in the zone of the machine that runs this, which is what a zip means. */
const MADE = new Date(1980, 0, 1);

/**
 * The engine as one file without imports.
 *
 * @returns {Promise<string>}
 */
async function bundleEngine() {
  const { build } = await import('vite');
  const built = await build({
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    publicDir: false,
    root: ROOT,
    build: {
      write: false,
      // Node 20's; V8 as a Python package is newer.
      target: 'es2022',
      minify: true,
      lib: { entry: join(TORCH, 'engine-entry.ts'), formats: ['iife'], name: 'zigzagEngine' },
    },
  });
  const [{ output } = { output: [] }] = /** @type {import('vite').Rolldown.RolldownOutput[]} */ (built);
  const [chunk, ...others] = output;
  if (chunk?.type !== 'chunk' || others.length > 0) throw new Error('the engine is not one file.');
  // The wheel brings the licence of this project alone.
  const foreign = chunk.moduleIds.find((id) => id.includes('node_modules'));
  if (foreign !== undefined)
    throw new Error(`the engine holds a package, whose licence the wheel lacks: ${foreign}.`);
  return chunk.code;
}

/**
 * @param {{ version: string, license: string, author: string }} about
 * @returns {Record<string, string>} the files that describe the package
 */
function metadataOf({ version, license, author }) {
  const folder = `${NAME}-${version}.dist-info`;
  return {
    [`${folder}/METADATA`]: `Metadata-Version: 2.1
Name: ${NAME.replace('_', '-')}
Version: ${version}
Summary: Gradient checkpointing that fits a PyTorch model into a number of bytes
Author: ${author}
License: ${license}
License-File: LICENSE
Requires-Python: >=3.9
Requires-Dist: torch>=1.13
Provides-Extra: engine
Requires-Dist: mini-racer>=0.12.4; extra == 'engine' and (${HAS_RACER})
Description-Content-Type: text/markdown

\`\`\`python
import zigzag_lab as zigzag
model = zigzag.fit(model, images, budget='60%', optimizer=optimizer)
zigzag.report(model)
\`\`\`

Tried with PyTorch 1.13 and 2.x. The engine runs in Node 20 or
newer where that is installed, else in V8 from mini-racer, which the extra \`engine\` installs.
`,
    [`${folder}/WHEEL`]: `Wheel-Version: 1.0
Generator: zigzag (${version})
Root-Is-Purelib: true
Tag: ${TAG}
`,
    [`${folder}/LICENSE`]: readFileSync(join(ROOT, 'LICENSE'), 'utf8'),
  };
}

/** @param {string} engine */
function factsOf(engine) {
  const context = createContext({});
  return String(runInContext(`${engine}\nzigzagFacts()`, context));
}

/** @param {Record<string, string>} files */
function recordOf(files) {
  const lines = Object.entries(files).map(([path, text]) => {
    const hash = createHash('sha256').update(text).digest('base64url');
    return `${path},sha256=${hash},${Buffer.byteLength(text)}`;
  });
  return (/** @type {string} */ own) => `${[...lines, `${own},,`].join('\n')}\n`;
}

/**
 * @param {string} folder
 * @returns {Promise<string>} path of the wheel
 */
export async function buildWheel(folder) {
  const { strToU8, zipSync } = await import('fflate');
  const about = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const read = (/** @type {string[]} */ ...path) => readFileSync(join(TORCH, ...path), 'utf8');
  const modulesIn = (/** @type {string} */ name) =>
    readdirSync(join(TORCH, name))
      .filter((file) => file.endsWith('.py'))
      .sort();
  const engine = await bundleEngine();
  const files = {
    ...Object.fromEntries(modulesIn(NAME).map((name) => [`${NAME}/${name}`, read(NAME, name)])),
    ...Object.fromEntries(
      modulesIn('zigzag_torch').map((name) => [`${NAME}/zigzag_torch/${name}`, read('zigzag_torch', name)]),
    ),
    [`${NAME}/zigzag_torch/engine_facts.py`]: factsOf(engine),
    [`${NAME}/engine.js`]: engine,
    [`${NAME}/version.py`]: `"""The version of the package."""\n__version__ = '${about.version}'\n`,
    [`${NAME}/py.typed`]: '',
    'zigzag/__init__.py': ALIAS,
    ...metadataOf(about),
  };
  const record = `${NAME}-${about.version}.dist-info/RECORD`;
  const packed = { ...files, [record]: recordOf(files)(record) };
  const zip = zipSync(
    Object.fromEntries(Object.entries(packed).map(([path, text]) => [path, strToU8(text)])),
    // A regular file that all may read, as Unix says it: without, some unpack it unreadable.
    { level: 9, mtime: MADE, os: 3, attrs: 0o100644 << 16 },
  );
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${NAME}-${about.version}-${TAG}.whl`);
  writeFileSync(path, zip);
  return path;
}

/** @param {readonly string[]} args */
async function main([folder = join(ROOT, 'dist', 'python')]) {
  await ensureInstalled('lab');
  say(`built ${await buildWheel(folder)}`);
}

if (process.argv[1] === import.meta.filename) main(process.argv.slice(2)).catch(fail);
