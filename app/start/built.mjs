import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { PART_NAMES, PARTS } from './parts.mjs';
import { ROOT, say } from './root.mjs';
import { runNode } from './run.mjs';

/** @typedef {import('./parts.mjs').PartName} PartName */

const STAMPS = join(ROOT, 'dist', '.stamps');
const ALWAYS = ['package-lock.json', 'tsconfig.base.json', 'app/start/build.mjs', 'app/start/parts.mjs'];

/**
 * @param {string} path
 * @param {(file: string) => void} visit
 */
function walk(path, visit) {
  const absolute = join(ROOT, path);
  if (!existsSync(absolute)) return;
  if (statSync(absolute).isFile()) return visit(path);
  for (const entry of readdirSync(absolute, { withFileTypes: true })) {
    const child = `${path}/${entry.name}`;
    if (entry.isDirectory()) walk(child, visit);
    else visit(child);
  }
}

/**
 * Names, sizes and times of a part's sources. Contents are not read: this runs at every start, and a needless build
 * after a checkout costs less than reading every file each time.
 *
 * @param {PartName} name
 */
export function signatureOf(name) {
  const hash = createHash('sha1');
  for (const source of [...ALWAYS, ...PARTS[name].sources]) {
    walk(source, (file) => {
      const { size, mtimeMs } = statSync(join(ROOT, file));
      hash.update(`${file} ${size} ${mtimeMs}\n`);
    });
  }
  return hash.digest('hex');
}

/** @param {PartName} name */
export function isFresh(name) {
  try {
    return readFileSync(join(STAMPS, name), 'utf8') === signatureOf(name) && outputsExist(name);
  } catch {
    return false;
  }
}

/** @param {PartName} name */
function outputsExist(name) {
  const { kind, out, entries } = PARTS[name];
  return Object.entries(entries)
    .filter(([, source]) => existsSync(join(ROOT, source)))
    .every(([entry]) => existsSync(join(ROOT, kind === 'node' ? `${out}/${entry}.js` : out)));
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
 * Builds the parts whose sources changed. The build runs in a process of its own, so that a start with nothing to
 * build loads no build tool.
 *
 * @param {readonly PartName[]} [names]
 */
export async function ensureBuilt(names = PART_NAMES) {
  if (names.every(isFresh)) return;
  await withLock('build', async () => {
    const stale = names.filter((name) => !isFresh(name));
    if (stale.length === 0) return;
    say(`building ${stale.join(', ')}`);
    const { code } = await runNode([join(ROOT, 'app/start/build.mjs'), '--locked', ...stale], {
      output: 'stderr',
    });
    if (code !== 0) throw new Error(`the build failed with exit code ${code}: see its message above.`);
  });
}
