import { existsSync } from 'node:fs';
import { say } from './root.mjs';
import { run } from './run.mjs';

const LIMIT_MS = 10 * 60_000;

/** The update of the lists, or the last install: apt-get holds a lock. @type {Promise<unknown> | undefined} */
let last;

/**
 * Installs Debian packages where that needs nobody's consent: as root with apt-get, which is what a CI machine is. Several
 * are installed one after the other.
 *
 * @param {string} purpose
 * @param {readonly string[]} packages
 * @returns {Promise<string | undefined>} why they are not there
 */
export async function aptInstall(purpose, packages) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    return `install ${packages.join(' and ')}`;
  }
  say(`installing ${packages.join(', ')} for ${purpose} (apt-get)`);
  const options = /** @type {const} */ ({
    output: 'stderr',
    timeoutMs: LIMIT_MS,
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  });
  const args = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
  const install = (last ?? run('apt-get', ['update', '-qq'], options)).then(() =>
    run('apt-get', args, options),
  );
  last = install;
  const { code, timedOut } = await install;
  if (code === 0) return undefined;
  return `apt-get install ${packages.join(' ')} ${timedOut ? 'took longer than 10 minutes' : `ended with exit code ${code}`}`;
}
