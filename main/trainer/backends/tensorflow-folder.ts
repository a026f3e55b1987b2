import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package with the optional library; not a constant, so that compilers and bundlers do not require it. */
export const GPU_PACKAGE: string = '@tensorflow/tfjs-node-gpu';
/** The package that `npm run setup:tensorflow` builds in a folder of its own. */
export const SETUP_PACKAGE: string = '@tensorflow/tfjs-node';
/** The folder of the setup, below the checkout. */
const SETUP_FOLDER = join('.zigzag', 'tensorflow');

/** The setup's folder: at or above this module, or the one in ZIGZAG_TENSORFLOW. */
export function setupFolder(): string | null {
  const named = process.env['ZIGZAG_TENSORFLOW'];
  if (named !== undefined) return named;
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, SETUP_FOLDER);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (folder === dirname(folder)) return null;
  }
}

/** True if the setup in a folder brings CUDA. */
export const bringsCuda = (setupFolder: string, exists: (file: string) => boolean = existsSync): boolean =>
  exists(join(setupFolder, 'python', 'nvidia'));

/** The TensorFlow that a trainer would load, without loading it. */
export function tensorflowHere(): 'cpu' | 'cuda' | 'package' | null {
  const folder = setupFolder();
  if (folder !== null && hasAddon(join(folder, 'node_modules', SETUP_PACKAGE))) {
    return bringsCuda(folder) ? 'cuda' : 'cpu';
  }
  try {
    const manifest = createRequire(import.meta.url).resolve(`${GPU_PACKAGE}/package.json`);
    return hasAddon(dirname(manifest)) ? 'package' : null;
  } catch {
    return null;
  }
}

/** One folder for each version of Node-API that it was built for. */
function hasAddon(packageFolder: string): boolean {
  const lib = join(packageFolder, 'lib');
  return existsSync(lib) && readdirSync(lib).some((name) => existsSync(join(lib, name, 'tfjs_binding.node')));
}
