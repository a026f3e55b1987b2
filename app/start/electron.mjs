import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withLock } from './lock.mjs';
import { ROOT, say } from './root.mjs';
import { runNode } from './run.mjs';

const PACKAGE = join(ROOT, 'node_modules', 'electron');
const FAILURE = join(ROOT, 'node_modules', '.cache', 'zigzag', 'electron-failure.json');
const FETCH_LIMIT_MS = 5 * 60_000;
const REMEMBER_MS = 24 * 3600_000;

/** Electron's program, when it has been fetched. Importing the package to ask would start a download. */
export function electronBinary() {
  try {
    const name = readFileSync(join(PACKAGE, 'path.txt'), 'utf8').trim();
    const file = join(process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(PACKAGE, 'dist'), name);
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

function electronVersion() {
  return JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')).version;
}

function failedLately() {
  try {
    const { version, at } = JSON.parse(readFileSync(FAILURE, 'utf8'));
    return version === electronVersion() && Date.now() - at < REMEMBER_MS;
  } catch {
    return false;
  }
}

/**
 * Fetches Electron's program when it is not there. A failure is remembered for a day, so that a machine that cannot
 * reach the download does not wait for it at every start.
 *
 * @returns {Promise<{ binary: string } | { reason: string }>}
 */
export async function ensureElectron() {
  const present = electronBinary();
  if (present) return { binary: present };
  if (!existsSync(join(PACKAGE, 'install.js'))) return { reason: 'the package electron is not installed' };
  if (failedLately()) {
    return { reason: `its download failed less than a day ago (delete ${FAILURE} to try again now)` };
  }
  return withLock('electron', async () => {
    const meanwhile = electronBinary();
    if (meanwhile) return { binary: meanwhile };
    say("fetching Electron's program; this happens once");
    const { timedOut } = await runNode([join(PACKAGE, 'install.js')], {
      output: 'ignore',
      timeoutMs: FETCH_LIMIT_MS,
    });
    const binary = electronBinary();
    if (binary) {
      rmSync(FAILURE, { force: true });
      return { binary };
    }
    mkdirSync(dirname(FAILURE), { recursive: true });
    writeFileSync(FAILURE, JSON.stringify({ version: electronVersion(), at: Date.now() }));
    return { reason: timedOut ? 'its download took longer than 5 minutes' : 'it could not be downloaded' };
  });
}
