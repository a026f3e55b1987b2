import { existsSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { npmCommand } from './install.mjs';
import { STATE } from './root.mjs';
import { succeeds } from './run.mjs';
import { pinnedWheels, sizesIn } from './wheels.mjs';

/** @typedef {{ downloadBytes: number, unpackedBytes: number, diskBytes: number }} Sizes the last is what is left */
/** @typedef {{ platform: string, arch: string }} Machine */

const MANIFEST = 'zigzag-tensorflow';
/** The newest Node-API that the addon's sources know. */
export const NODE_API = 8;

/** The folder in which the trainer looks for TensorFlow, and so the setup's target. */
export const targetFolder = () => resolve(process.env['ZIGZAG_TENSORFLOW'] || join(STATE, 'tensorflow'));

/** @param {string} folder */
export const addonPackage = (folder) => join(folder, 'node_modules', '@tensorflow', 'tfjs-node');

/** @param {string} folder */
export const addonFile = (folder) =>
  join(addonPackage(folder), 'lib', `napi-v${NODE_API}`, 'tfjs_binding.node');

/** The library of the trainer's own operations. @param {string} folder */
export const operationsFile = (folder) => join(folder, 'operations', 'zigzag_operations.node');

/** Sizes of the addon's sources and their packages, which npm fetches. @returns {Sizes} */
export function sourceSizes() {
  const { downloadBytes, unpackedBytes, diskBytes } = JSON.parse(
    readFileSync(join(import.meta.dirname, 'tensorflow', 'sources.json'), 'utf8'),
  );
  return { downloadBytes, unpackedBytes, diskBytes };
}

/**
 * Bytes that adding TensorFlow fetches and leaves on the disk, beside the addon's own few hundred KB.
 *
 * @param {Machine & { cuda: boolean }} machine
 * @returns {Sizes}
 * @throws Error where there are no wheels for it, in one sentence
 */
export function planSizes(machine) {
  const wheels = sizesIn(pinnedWheels(machine));
  const sources = sourceSizes();
  return {
    downloadBytes: wheels.downloadBytes + sources.downloadBytes,
    unpackedBytes: wheels.unpackedBytes + sources.unpackedBytes,
    diskBytes: wheels.diskBytes + sources.diskBytes,
  };
}

/** @param {number} bytes */
export const readable = (bytes) =>
  bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;

/**
 * Refuses obstacles before anything is fetched.
 *
 * @param {string} folder where it is to be
 * @param {Sizes} sizes
 * @throws Error in one sentence
 */
export function refuseObstacles(folder, sizes) {
  refuseForeign(folder);
  const needed = /** @type {const} */ ([
    ['npm', [...npmCommand(), '--version'], 'npm'],
    ['python3 with pip', ['python3', '-m', 'pip', '--version'], 'python3-pip'],
    ['a C++ compiler', ['g++', '--version'], 'g++'],
  ]);
  const missing = needed.filter(([, command]) => !succeeds(command[0], ...command.slice(1)));
  if (missing.length > 0) {
    const names = missing.map(([name]) => name).join(' and ');
    const packages = missing.map(([, , name]) => name).join(' ');
    throw new Error(
      `${names} ${missing.length > 1 ? 'are' : 'is'} needed (Debian: sudo apt install ${packages}).`,
    );
  }
  // While it is unpacked, what was fetched is there too.
  const most = sizes.downloadBytes + sizes.unpackedBytes;
  const { bavail, bsize } = statfsSync(existing(folder));
  if (bavail * bsize < most) {
    throw new Error(
      `${readable(most)} of the disk of ${folder} are needed, ${readable(bavail * bsize)} are free: make room first.`,
    );
  }
}

/**
 * It takes the place of what is there, so it has to be its own.
 *
 * @param {string} folder
 */
function refuseForeign(folder) {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return;
  try {
    if (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name === MANIFEST) return;
  } catch {
    // No manifest at all.
  }
  throw new Error(`${folder} holds something else: name a new folder in ZIGZAG_TENSORFLOW, or unset it.`);
}

/** @param {string} folder @returns {string} the nearest that is there */
const existing = (folder) => (existsSync(folder) ? folder : existing(dirname(folder)));
