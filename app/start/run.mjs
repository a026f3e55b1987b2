import { spawn } from 'node:child_process';
import { ROOT } from './root.mjs';

/**
 * @typedef {object} Outcome
 * @property {number} code exit status; 128 when a signal ended it, 127 when it could not be started
 * @property {NodeJS.Signals | null} signal
 * @property {boolean} timedOut
 * @property {number} ms how long it ran
 */

/**
 * Runs a program in the checkout without standard input, its output on ours.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {object} [options]
 * @param {'inherit' | 'stderr' | 'ignore'} [options.output] where its standard output goes; `stderr` keeps ours clean
 * @param {NodeJS.ProcessEnv} [options.env] added to the environment
 * @param {number} [options.timeoutMs]
 * @param {boolean} [options.shell]
 * @param {boolean} [options.stdin] hands our standard input on
 * @returns {Promise<Outcome>}
 */
export function run(program, args, options = {}) {
  const out = options.output === 'stderr' ? 2 : (options.output ?? 'inherit');
  const err = options.output === 'ignore' ? 'ignore' : 'inherit';
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      env: { ...process.env, ...options.env },
      stdio: [options.stdin ? 'inherit' : 'ignore', out, err],
      shell: options.shell ?? false,
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
      resolve({ code, signal, timedOut, ms: performance.now() - started });
    };
    child.on('error', () => done(127, null));
    child.on('exit', (code, signal) => done(code ?? 128, signal));
  });
}

/**
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export const runNode = (args, options) => run(process.execPath, args, options);
