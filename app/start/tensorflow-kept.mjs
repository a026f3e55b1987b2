import { lstatSync, readdirSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const NOTICE = /(?:licen[cs]e|copying|notice|third.?party)[^/.]*(?:\.(?:txt|md|rst))?$/i;

/**
 * Kept files of a wheel: TensorFlow's C library, all of NVIDIA's but headers, who made it, and notices. What a Python or a compiler
 * would read is two thirds of TensorFlow's files and a third of its bytes.
 *
 * @param {string} path below `python`, with slashes
 */
export function isKeptOfWheel(path) {
  if (/^tensorflow\/lib[^/]*\.so[^/]*$/.test(path)) return true;
  if (path.startsWith('nvidia/')) return !path.includes('/include/');
  if (path.includes('.dist-info/')) return !path.endsWith('/RECORD');
  return NOTICE.test(path) && !path.includes('/include/');
}

/**
 * Kept files of the packages that npm fetched: the addon, what Node loaded when it was tried, what that is looked up with, and notices.
 *
 * @param {string} path below the folder, with slashes
 * @param {ReadonlySet<string>} loaded
 */
export const isKeptOfPackages = (path, loaded) =>
  loaded.has(path) || /\/package\.json$|\.node$/.test(path) || NOTICE.test(path);

/**
 * Removes what was there to compile alone.
 *
 * @param {string} folder with `python` and `node_modules`
 * @param {readonly string[]} files that Node loaded, by their whole names
 */
export function keepWhatRuns(folder, files) {
  const root = realpathSync(folder);
  const slashes = (/** @type {string} */ from, /** @type {string} */ file) =>
    relative(from, file).split(sep).join('/');
  const loaded = new Set(files.map((file) => slashes(root, realpathSync(file))));
  removeBelow(join(root, 'python'), (file) => isKeptOfWheel(slashes(join(root, 'python'), file)));
  removeBelow(join(root, 'node_modules'), (file) => isKeptOfPackages(slashes(root, file), loaded));
}

/**
 * @param {string} folder
 * @param {(file: string) => boolean} isKept
 * @returns {boolean} whether nothing is left of it
 */
function removeBelow(folder, isKept) {
  let isEmpty = true;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const isFolder = lstatSync(path).isDirectory();
    const isGone = isFolder ? removeBelow(path, isKept) : !isKept(path);
    if (!isGone) isEmpty = false;
    else if (!isFolder) rmSync(path);
  }
  if (isEmpty) rmdirSync(folder);
  return isEmpty;
}
