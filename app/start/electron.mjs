import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

export const PACKAGE = join(ROOT, 'node_modules', 'electron');

/** The program's name within Electron's folder, as its own installer has it. */
function programName() {
  if (process.platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return process.platform === 'win32' ? 'electron.exe' : 'electron';
}

/**
 * Electron's program, when it has been fetched, or where ELECTRON_OVERRIDE_DIST_PATH says that it is. Importing the
 * package to ask would start a download.
 */
export function electronBinary() {
  const own = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (own) {
    const file = join(own, programName());
    if (!existsSync(file)) {
      throw new Error(
        `ELECTRON_OVERRIDE_DIST_PATH is ${own}, which holds no ${programName()}: mend or unset it.`,
      );
    }
    return file;
  }
  try {
    const file = join(PACKAGE, 'dist', readFileSync(join(PACKAGE, 'path.txt'), 'utf8').trim());
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

/** Why Electron could not start here even if it were fetched, or nothing. */
export function electronObstacle() {
  if (process.platform !== 'linux') return undefined;
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (!DISPLAY && !WAYLAND_DISPLAY) return 'this machine has no display';
  if (process.getuid?.() === 0) {
    return "it would have to run as root without Chromium's sandbox, which Zigzag does not do";
  }
  return undefined;
}

/** @returns {string} */
export function electronVersion() {
  return JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')).version;
}
