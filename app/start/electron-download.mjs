import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { electronBinary, electronVersion, PACKAGE } from './electron.mjs';
import { withLock } from './lock.mjs';
import { ROOT, say } from './root.mjs';
import { runNode } from './run.mjs';

const FAILURE = join(ROOT, 'node_modules', '.cache', 'zigzag', 'electron-failure.json');
const FETCH = join(ROOT, 'app', 'start', 'electron-fetch.mjs');
const REMEMBER_MS = 24 * 3600_000;
const INTERRUPTED = 130;

/** The download was ended by the person who waited for it, which is no reason to open something else. */
export class Interrupted extends Error {}

/** @returns {string | undefined} why the last download failed, less than a day ago */
function failedLately() {
  try {
    const { version, at, reason } = JSON.parse(readFileSync(FAILURE, 'utf8'));
    if (version !== electronVersion() || Date.now() - at >= REMEMBER_MS) return undefined;
    return String(reason);
  } catch {
    return undefined;
  }
}

/** @param {string} reason */
function remember(reason) {
  mkdirSync(dirname(FAILURE), { recursive: true });
  writeFileSync(FAILURE, JSON.stringify({ version: electronVersion(), at: Date.now(), reason }));
  return { reason: `its download failed: ${reason}` };
}

/** @param {string} text @returns {string} */
function reasonIn(text) {
  try {
    return String(JSON.parse(text).reason);
  } catch {
    return 'unknown error';
  }
}

/** @returns {Promise<{ binary: string } | { reason: string }>} */
async function download() {
  say("fetching Electron's program; this happens once");
  const fetched = await runNode([FETCH], { output: 'collect' });
  if (fetched.signal !== null || fetched.code === INTERRUPTED) throw new Interrupted();
  if (fetched.code !== 0) return remember(reasonIn(fetched.wrote));
  // The package's own installer finds the archive in the cache, verifies it again and unpacks it.
  const installed = await runNode([join(PACKAGE, 'install.js')], { output: 'ignore', listen: true });
  if (installed.signal === 'SIGINT' || installed.signal === 'SIGTERM') throw new Interrupted();
  const binary = electronBinary();
  if (!binary)
    return remember(installed.said.trim().split('\n', 1)[0] || 'its archive could not be unpacked');
  rmSync(FAILURE, { force: true });
  return { binary };
}

/**
 * Fetches Electron's program when it is not there. A failure is remembered for a day with its reason, so that a
 * machine that cannot reach the download does not wait for it at every start; an interruption is none.
 *
 * @returns {Promise<{ binary: string } | { reason: string }>}
 * @throws {Interrupted}
 */
export async function ensureElectron() {
  const present = electronBinary();
  if (present) return { binary: present };
  if (!existsSync(join(PACKAGE, 'install.js'))) return { reason: 'the package electron is not installed' };
  const failed = failedLately();
  if (failed !== undefined) {
    return {
      reason: `its download failed less than a day ago: ${failed}; delete ${FAILURE} to try again now`,
    };
  }
  return withLock('electron', async () => {
    const meanwhile = electronBinary();
    return meanwhile ? { binary: meanwhile } : download();
  });
}
