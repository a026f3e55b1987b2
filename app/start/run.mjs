import { spawn, spawnSync } from 'node:child_process';
import { ROOT } from './root.mjs';

/**
 * @typedef {object} Outcome
 * @property {number} code exit status; 128 when a signal ended it, 127 when it could not be started
 * @property {NodeJS.Signals | null} signal
 * @property {boolean} timedOut
 * @property {number} ms how long it ran
 * @property {string} wrote its standard output, where it was collected
 * @property {string} said the end of what it wrote to its standard error; empty unless `listen` was asked for
 */

const HEARD_CHARS = 8192;
const LAST_WORDS_MS = 1000;

/**
 * Runs a program in the checkout without standard input, its output on ours.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {object} [options]
 * @param {'inherit' | 'stderr' | 'ignore' | 'collect'} [options.output] where its standard output goes; `stderr` keeps
 *   ours clean, `collect` gives it back
 * @param {NodeJS.ProcessEnv} [options.env] added to the environment; `undefined` takes a variable out
 * @param {number} [options.timeoutMs]
 * @param {boolean} [options.shell]
 * @param {boolean} [options.stdin] hands our standard input on
 * @param {boolean} [options.listen] passes its standard error on through us, and keeps the end of it
 * @returns {Promise<Outcome>}
 */
export function run(program, args, options = {}) {
  const { output = 'inherit' } = options;
  const out = output === 'stderr' ? 2 : output === 'collect' ? 'pipe' : output;
  const err = options.listen ? 'pipe' : output === 'ignore' ? 'ignore' : 'inherit';
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      env: { ...process.env, ...options.env },
      stdio: [options.stdin ? 'inherit' : 'ignore', out, err],
      shell: options.shell ?? false,
    });
    let wrote = '';
    child.stdout?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      wrote += text;
    });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      process.stderr.write(text);
      said = (said + text).slice(-HEARD_CHARS);
    });
    let timedOut = false;
    const timer =
      options.timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true;
            child.kill('SIGKILL');
          }, options.timeoutMs);
    // The terminal sends Ctrl-C to the child as well; we stay until it has ended, so that its exit code is ours.
    const ignore = () => {};
    const pass = () => child.kill('SIGTERM');
    process.on('SIGINT', ignore);
    process.on('SIGTERM', pass);
    /** @param {number} code @param {NodeJS.Signals | null} signal */
    const done = (code, signal) => {
      clearTimeout(timer);
      process.off('SIGINT', ignore);
      process.off('SIGTERM', pass);
      resolve({ code, signal, timedOut, ms: performance.now() - started, wrote, said });
    };
    child.on('error', () => done(127, null));
    child.on('exit', (code, signal) => {
      if (child.stdout === null && child.stderr === null) return done(code ?? 128, signal);
      // Its last output is still on its way; a child of its own may hold the pipe open for long.
      const rest = setTimeout(() => done(code ?? 128, signal), LAST_WORDS_MS);
      child.once('close', () => {
        clearTimeout(rest);
        done(code ?? 128, signal);
      });
    });
  });
}

/** @param {string} program @param {string[]} args */
export const succeeds = (program, ...args) => spawnSync(program, args, { stdio: 'ignore' }).status === 0;

/**
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export const runNode = (args, options) => run(process.execPath, args, options);
