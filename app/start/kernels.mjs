#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, ROOT, say } from './root.mjs';

/**
 * `npm run kernels`: compiles the loops of the `wasm` backend and keeps the module in the repository, with the hash of
 * its sources beside it, so that only those who change a loop need the compiler.
 */
const BACKENDS = join(ROOT, 'main', 'trainer', 'backends');
const FOLDERS = ['native', join('wasm', 'native')].map((folder) => join(BACKENDS, folder));
const MODULE = join(BACKENDS, 'wasm', 'kernels.wasm');
const HASH = `${MODULE}.sources`;

/** Another version gives other bytes. */
const VERSION = 16;
export const KERNEL_PACKAGES = [`clang-${VERSION}`, `lld-${VERSION}`];

const COMPILE = [
  ...[
    '--target=wasm32',
    '-std=c++17',
    '-O3',
    '-msimd128',
    '-mbulk-memory',
    '-Wall',
    '-Wno-ignored-attributes',
  ],
  ...['-nostdlib', '-ffreestanding', '-fno-exceptions', '-fno-rtti'],
  // The order of operations is the sources'.
  '-ffp-contract=off',
  // Loops are vectors already: more unrolling needs more registers than there are, and a call is slower than a short copy.
  ...['-fno-vectorize', '-fno-slp-vectorize', '-fno-unroll-loops', '-fno-builtin'],
  // It would put captured numbers on a stack.
  ...['-mllvm', '-disable-vector-combine'],
];
const LINK = ['--no-entry', '--import-memory=heap,memory', '--strip-all', '-O2'];

/** @param {string} program @param {readonly string[]} args */
const run = (program, args) => spawnSync(program, args, { encoding: 'utf8' });

/** The name of a program of this version. @param {string} name */
const named = (name) =>
  [`${name}-${VERSION}`, name].find((program) =>
    new RegExp(`\\b(?:version|LLD) ${VERSION}\\.`).test(run(program, ['--version']).stdout ?? ''),
  );

/** Why nothing can be compiled here; empty where it can. */
export const whyNoKernelCompiler = () =>
  named('clang++') && named('wasm-ld')
    ? ''
    : `clang ${VERSION} with lld is not installed (Debian: ${KERNEL_PACKAGES.join(' ')})`;

/** Hash of the sources and of the compiler's options. */
export function hashOfSources() {
  const hash = createHash('sha256').update(JSON.stringify([VERSION, COMPILE, LINK]));
  for (const folder of FOLDERS) {
    for (const name of readdirSync(folder).toSorted()) {
      hash.update(`${name}\n`).update(readFileSync(join(folder, name)));
    }
  }
  return hash.digest('hex');
}

export const keptModule = () => readFileSync(MODULE);
export const keptHash = () => readFileSync(HASH, 'utf8').trim();

/**
 * @returns the module that the sources give
 * @throws Error when they do not compile, or need memory of their own: the heap is TensorFlow.js's
 */
export function compileKernels() {
  const [compiler, linker] = [named('clang++'), named('wasm-ld')];
  if (compiler === undefined || linker === undefined) throw new Error(`${whyNoKernelCompiler()}.`);
  const folder = mkdtempSync(join(tmpdir(), 'zigzag-kernels-'));
  const [object, module] = ['kernels.o', 'kernels.wasm'].map((name) => join(folder, name));
  try {
    const source = join(BACKENDS, 'wasm', 'native', 'kernels.cc');
    const compiled = run(compiler, [...COMPILE, '-c', source, '-o', String(object)]);
    if (compiled.status !== 0) throw new Error(`clang does not compile the kernels:\n${compiled.stderr}`);
    const symbols = readFileSync(String(object), 'latin1');
    if (/__stack_pointer|\.L?(?:ro)?data|__memory_base/.test(symbols)) {
      throw new Error('the kernels need a stack or data of their own: keep all of a loop in registers.');
    }
    const linked = run(linker, [String(object), '-o', String(module), ...LINK]);
    if (linked.status !== 0) throw new Error(`lld does not link the kernels:\n${linked.stderr}`);
    return readFileSync(String(module));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main() {
  const module = compileKernels();
  writeFileSync(MODULE, module);
  writeFileSync(HASH, `${hashOfSources()}\n`);
  say(`the kernels of wasm are compiled: ${module.length} bytes.`);
}

if (process.argv[1] === import.meta.filename) main().catch(fail);
