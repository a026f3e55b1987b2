import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STATE, say } from './root.mjs';

const POLL_MS = 200;
const REMIND_MS = 30_000;

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {string} lock */
function ownerOf(lock) {
  try {
    return Number(readFileSync(join(lock, 'pid'), 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, but under another user.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * The folder appears under its final name with its owner already inside, by a rename, so that no other process can
 * meet a lock that belongs to nobody yet.
 *
 * @param {string} lock
 */
function tryTake(lock) {
  const draft = mkdtempSync(join(STATE, 'draft-'));
  writeFileSync(join(draft, 'pid'), String(process.pid));
  try {
    renameSync(draft, lock);
    return true;
  } catch {
    rmSync(draft, { recursive: true, force: true });
    return false;
  }
}

/**
 * Runs `work` while no other Zigzag process of this checkout runs work of the same name. A lock whose owner is gone
 * is taken over.
 *
 * @template T
 * @param {string} name
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(name, work) {
  mkdirSync(STATE, { recursive: true });
  const lock = join(STATE, `${name}.lock`);
  let reminder = Date.now() + REMIND_MS;
  while (!tryTake(lock)) {
    const owner = ownerOf(lock);
    if (owner !== undefined && !isAlive(owner)) {
      rmSync(lock, { recursive: true, force: true });
      continue;
    }
    if (Date.now() > reminder) {
      say(`waiting for process ${owner ?? 'unknown'}, which holds ${lock}`);
      reminder = Date.now() + REMIND_MS;
    }
    await pause(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}
