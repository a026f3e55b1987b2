#!/usr/bin/env node
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isFresh, markFresh, signatureOf } from './built.mjs';
import { ensureInstalled } from './install.mjs';
import { withLock } from './lock.mjs';
import { PART_NAMES, PARTS } from './parts.mjs';
import { fail, ROOT, say, STATE } from './root.mjs';

/** @typedef {import('./parts.mjs').PartName} PartName */
/** @typedef {import('./parts.mjs').Part} Part */
/** @typedef {import('vite').InlineConfig} Config */

const DAY_MS = 24 * 3600 * 1000;

/** @type {Config} */
const SHARED = { configFile: false, envDir: false, logLevel: 'warn', publicDir: false };

/**
 * Packages stay outside the bundle, and code that several entries need is shared, so that `cli.js` and a module
 * that it loads on demand see the same classes.
 *
 * @param {Readonly<Record<string, string>>} input
 * @param {string} outDir
 * @returns {Config}
 */
export const nodeConfig = (input, outDir) => ({
  ...SHARED,
  root: ROOT,
  build: {
    ssr: true,
    target: 'node20',
    outDir,
    emptyOutDir: false,
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input,
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
});

/**
 * A sandboxed preload script can load nothing but electron: everything else goes into its one file.
 *
 * @param {Readonly<Record<string, string>>} input
 * @param {string} outDir
 * @returns {Config}
 */
export const preloadConfig = (input, outDir) => ({
  ...SHARED,
  root: ROOT,
  ssr: { noExternal: true, external: ['electron'] },
  build: {
    ssr: true,
    target: 'node20',
    outDir,
    emptyOutDir: false,
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input,
      external: ['electron'],
      output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
    },
  },
});

/**
 * @param {Readonly<Record<string, string>>} input
 * @param {string} outDir
 * @returns {Promise<Config>}
 */
export async function pageConfig(input, outDir) {
  const { default: react } = await import('@vitejs/plugin-react');
  return {
    ...SHARED,
    root: dirname(Object.values(input)[0] ?? ROOT),
    // Relative addresses work under any scheme, host and path.
    base: './',
    plugins: [react()],
    worker: { format: 'es' },
    build: {
      target: 'es2022',
      outDir,
      emptyOutDir: true,
      minify: true,
      sourcemap: true,
      license: { fileName: 'THIRD-PARTY-LICENSES.md' },
      // The page's content security policy allows no data: addresses.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 2000,
      rolldownOptions: { input },
    },
  };
}

/**
 * A process that runs since before this build may still load a chunk of the former one, so old chunks stay a day.
 *
 * @param {string} folder
 */
function dropOldChunks(folder) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (Date.now() - statSync(file).mtimeMs > DAY_MS) rmSync(file, { force: true });
  }
}

/**
 * @param {Part} part
 * @param {Readonly<Record<string, string>>} input
 */
async function buildPart(part, input) {
  const { build } = await import('vite');
  const out = join(ROOT, part.out);
  if (part.kind === 'node') {
    await build(nodeConfig(input, out));
    return dropOldChunks(join(out, 'chunks'));
  }
  if (part.kind === 'preload') {
    await build(preloadConfig(input, dirname(out)));
    return;
  }
  // A page is swapped in whole, because a server may be handing out the former one.
  const draft = join(dirname(out), `.draft-${basename(out)}`);
  await build(await pageConfig(input, draft));
  rmSync(out, { recursive: true, force: true });
  renameSync(draft, out);
}

/** @param {PartName} name */
async function buildIfStale(name) {
  if (isFresh(name)) return;
  const signature = signatureOf(name);
  const part = PARTS[name];
  const entries = Object.entries(part.entries);
  const present = entries.filter(([, source]) => existsSync(join(ROOT, source)));
  for (const [entry, source] of entries) {
    if (!present.some(([found]) => found === entry)) say(`${name}: ${entry} left out, there is no ${source}`);
  }
  const started = performance.now();
  if (present.length > 0) {
    await buildPart(part, Object.fromEntries(present.map(([entry, source]) => [entry, join(ROOT, source)])));
    say(`${name}: built in ${Math.round(performance.now() - started)} ms`);
  }
  markFresh(name, signature);
}

/** @param {readonly string[]} args */
async function main(args) {
  const named = args.filter((arg) => !arg.startsWith('--'));
  const unknown = named.filter((name) => !Object.hasOwn(PARTS, name));
  if (unknown.length > 0) {
    throw new Error(`there is no part ${unknown.join(', ')}: choose from ${PART_NAMES.join(', ')}.`);
  }
  const names = named.length > 0 ? /** @type {PartName[]} */ (named) : PART_NAMES;
  const work = async () => {
    if (args.includes('--clean')) rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
    for (const name of names) await buildIfStale(name);
  };
  // The starter that spawned us holds the lock already.
  if (args.includes('--locked')) return work();
  await ensureInstalled();
  mkdirSync(STATE, { recursive: true });
  await withLock('build', work);
}

if (process.argv[1] === import.meta.filename) main(process.argv.slice(2)).catch(fail);
