import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.mjs';
import { runNode } from './run.mjs';

/**
 * The parts of the build, each a folder of dist/, and what each is made of: a change to it makes the part stale.
 * By hand, because every command of the command line asks: this takes some 20 ms a part, wireit 0.4 s, and Vite and
 * electron-vite build again each time.
 */
const PARTS = {
  node: ['engine', 'app', 'main'],
  'trainer-window': ['engine', 'app', 'main/trainer'],
  renderer: ['engine', 'app', 'renderer'],
  site: ['engine', 'app', 'main', 'renderer', 'docs'],
};

/** @typedef {keyof typeof PARTS} PartName */

/** Parts that are built only by name: neither the lab nor the command line needs them. */
export const NAMED_PARTS = /** @type {const} */ (['site']);
export const PART_NAMES = /** @type {PartName[]} */ (Object.keys(PARTS)).filter(
  (name) => !NAMED_PARTS.some((part) => part === name),
);

/** Parts of the command line: most commands need no page, so a page's fault cannot stop them. */
export const CLI_PARTS = /** @type {const} */ (['node']);
export const SERVE_PARTS = /** @type {const} */ (['node', 'renderer']);

export const DIST = join(ROOT, 'dist');
const STAMPS = join(DIST, '.stamps');
const ALWAYS = ['package-lock.json', 'tsconfig.base.json'];

/**
 * Names, sizes and times of a part's sources. Contents are not read: a needless build after a checkout costs less
 * than reading every file each time.
 *
 * @param {PartName} name
 */
export function signatureOf(name) {
  const hash = createHash('sha1');
  const below = PARTS[name].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((file) => join(folder, String(file))),
  );
  for (const file of [...ALWAYS, ...below]) {
    const stats = statSync(join(ROOT, file));
    if (stats.isFile()) hash.update(`${file} ${stats.size} ${stats.mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** @param {PartName} name */
export function isFresh(name) {
  try {
    return existsSync(join(DIST, name)) && readFileSync(join(STAMPS, name), 'utf8') === signatureOf(name);
  } catch {
    return false;
  }
}

/**
 * @param {PartName} name
 * @param {string} signature taken before the build, so that an edit during the build makes the part stale again
 */
export function markFresh(name, signature) {
  mkdirSync(STAMPS, { recursive: true });
  writeFileSync(join(STAMPS, name), signature);
}

/**
 * Builds the parts whose sources changed, in a process of its own: the build's tools stay out of this one.
 *
 * @param {readonly PartName[]} [names]
 */
export async function ensureBuilt(names = PART_NAMES) {
  if (names.every(isFresh)) return;
  const { code } = await runNode([join(ROOT, 'app/start/build.mjs'), ...names], { output: 'stderr' });
  if (code !== 0) throw new Error(`the build failed with exit code ${code}: see its message above.`);
}
