import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

const LAST_WORDS = 4000;
const LOOK_MS = 500;

/** Why work was ended before it was done, in a sentence. `interrupted`: by the caller that asked for it. */
export class Stopped extends Error {
  /** @param {string} message @param {{ interrupted?: boolean }} [how] */
  constructor(message, { interrupted = false } = {}) {
    super(message);
    this.interrupted = interrupted;
  }
}

/**
 * Bytes of the files below a folder, such as match; whatever goes meanwhile counts as gone.
 *
 * @param {string} folder
 * @param {(name: string) => boolean} [matches]
 * @returns {number}
 */
export function bytesBelow(folder, matches = () => true) {
  let bytes = 0;
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += bytesBelow(path, matches);
    else if (entry.isFile() && matches(entry.name))
      bytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}

/** @param {string} folder */
function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/**
 * All that a process has read from files and connections so far, where the system counts it (Linux): npm keeps what it
 * was told of packages in memory, where nobody sees it grow.
 *
 * @param {number} pid
 */
export function bytesReadBy(pid) {
  try {
    return Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/**
 * A running program's sign of progress: `look` gives a number that grows as it goes on.
 *
 * @typedef {object} Watch
 * @property {(pid: number) => number} look
 * @property {number} silenceMs
 * @property {string} silence the sentence for one whose number stands still for so long
 */

/**
 * Runs a program in the checkout, in a process group of its own, so that all of it goes when it is stopped. Resolves
 * when all of it has ended.
 *
 * @param {readonly [string, ...string[]]} command
 * @param {{ stop: AbortSignal, env?: NodeJS.ProcessEnv, watch?: Watch }} options `stop` is aborted with a Stopped
 * @returns {Promise<{ code: number | null, said: string }>} the end of its standard error; no code where it could not
 *   be started
 * @throws {Stopped}
 */
export function runGuarded([program, ...args], { stop, env = {}, watch }) {
  return new Promise((resolve, reject) => {
    if (stop.aborted) {
      reject(stop.reason);
      return;
    }
    const isGroup = process.platform !== 'win32';
    const child = spawn(program, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: isGroup,
    });
    /** @type {Stopped | null} */
    let stopped = null;
    /** @param {Stopped} why */
    const end = (why) => {
      stopped ??= why;
      try {
        if (isGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        else child.kill('SIGKILL');
      } catch {
        // It has ended already.
      }
    };
    const onStop = () => end(stop.reason);
    stop.addEventListener('abort', onStop, { once: true });
    const timer =
      watch === undefined ? undefined : setInterval(silenceWatch(watch, child.pid ?? 0, end), LOOK_MS);
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said = `${said}${text}`.slice(-LAST_WORDS);
    });
    /** @param {number | null} code */
    const done = (code) => {
      clearInterval(timer);
      stop.removeEventListener('abort', onStop);
      if (stopped === null) resolve({ code, said });
      else reject(stopped);
    };
    child.on('error', (error) => {
      said = `${error.message}\n`;
      done(null);
    });
    child.on('close', done);
  });
}

/** @param {Watch} watch @param {number} pid @param {(why: Stopped) => void} end */
function silenceWatch({ look, silenceMs, silence }, pid, end) {
  let seen = look(pid);
  let since = performance.now();
  return () => {
    const now = look(pid);
    if (now !== seen) {
      seen = now;
      since = performance.now();
    } else if (performance.now() - since > silenceMs) end(new Stopped(silence));
  };
}
