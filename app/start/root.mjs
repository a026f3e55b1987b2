import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Locks live outside node_modules and dist, because both are deleted while a lock is held. */
export const STATE = join(ROOT, '.zigzag');

/**
 * Standard output belongs to the command itself (`--json` prints one document and nothing else), so what the start-up
 * has to say goes to standard error.
 *
 * @param {string} message
 */
export function say(message) {
  process.stderr.write(`zigzag: ${message}\n`);
}

/**
 * Prints a failure as one sentence and sets the exit code.
 *
 * @param {unknown} error
 */
export function fail(error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
