import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { STATE, say } from './root.mjs';

/**
 * Locks between the processes of a checkout. By hand, because the first one is needed before there are packages, Node
 * has no file lock of its own, and proper-lockfile removes a stale lock by its name: of two processes that both saw it
 * stale, the slower removes the lock of the faster.
 *
 * A lock is a folder that always holds one file, whose name says who has the lock: `PID-SUFFIX`, or `free`. It is
 * taken, taken over and given back by renaming that very file. A name is used once, so of all who saw the same owner
 * die one succeeds, and one that dies in between leaves a lock that can be taken over.
 */
const FREE = 'free';
const POLL_MS = 100;
const REMIND_MS = 30_000;

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

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
 * @param {string} from
 * @param {string} to
 */
function tryRename(from, to) {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}

/**
 * The folder appears with its file inside, by a rename, which fails where there already is one that is not empty.
 *
 * @param {string} lock
 */
function ensureExists(lock) {
  if (existsSync(lock)) return;
  const state = dirname(lock);
  mkdirSync(state, { recursive: true });
  const draft = mkdtempSync(join(state, 'draft-'));
  writeFileSync(join(draft, FREE), '');
  if (!tryRename(draft, lock)) rmSync(draft, { recursive: true });
}

/**
 * Takes a lock that is free or whose owner is gone.
 *
 * @param {string} lock
 * @param {string} mine
 * @returns {string | undefined} who has it instead
 */
function tryTake(lock, mine) {
  ensureExists(lock);
  // A file that is just being renamed may be missing from the list.
  const [owner = FREE] = readdirSync(lock);
  const isTaken = owner !== FREE && isAlive(Number.parseInt(owner, 10));
  return !isTaken && tryRename(join(lock, owner), mine) ? undefined : owner;
}

/**
 * Runs `work` while no other Zigzag process of this checkout runs work of the same name. A lock whose owner is gone
 * is taken over.
 *
 * @template T
 * @param {string} name
 * @param {() => T | Promise<T>} work
 * @param {string} [state] the folder of the lock: elsewhere for what is not the checkout's
 * @returns {Promise<T>}
 */
export async function withLock(name, work, state = STATE) {
  const lock = join(state, `${name}.lock`);
  const mine = join(lock, `${process.pid}-${randomUUID()}`);
  let reminder = Date.now() + REMIND_MS;
  for (let owner = tryTake(lock, mine); owner !== undefined; owner = tryTake(lock, mine)) {
    if (Date.now() > reminder) {
      say(`waiting for process ${owner.split('-', 1)}, which holds ${lock}`);
      reminder = Date.now() + REMIND_MS;
    }
    await pause(POLL_MS);
  }
  try {
    return await work();
  } finally {
    tryRename(mine, join(lock, FREE));
  }
}
