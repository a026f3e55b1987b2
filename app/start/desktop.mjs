import { ROOT } from './root.mjs';
import { run } from './run.mjs';

const EARLY_EXIT_MS = 5000;

const NO_SANDBOX =
  "Chromium's sandbox is not allowed to start here: allow programs their own user namespaces " +
  '(Ubuntu 23.10 and later: an AppArmor profile for Electron, or sudo sysctl ' +
  'kernel.apparmor_restrict_unprivileged_userns=0; Debian: sudo sysctl kernel.unprivileged_userns_clone=1)';

/**
 * Why a program that ended at once did, as a phrase: Chromium says of its sandbox only that it aborts.
 *
 * @param {{ code: number, signal: string | null, said: string }} outcome
 */
export function earlyEnd({ code, signal, said }) {
  if (/sandbox/i.test(said) && (signal !== null || code >= 128 || code === 1)) {
    return NO_SANDBOX;
  }
  const display = /cannot open display|Missing X server|failed to connect to wayland/i.test(said);
  if (display) return 'the display that DISPLAY or WAYLAND_DISPLAY names does not answer';
  const library = /error while loading shared libraries: ([^:\s]+)/.exec(said)?.[1];
  if (library !== undefined) return `the system has no ${library}, which Electron needs`;
  return `Electron ended at once with ${signal ?? `exit code ${code}`}`;
}

/**
 * Opens the desktop shell and stays until it is closed.
 *
 * @param {string} binary Electron's program
 * @param {readonly string[]} args
 * @returns {Promise<string | undefined>} why there is no desktop shell; nothing when it ran
 */
export async function openDesktop(binary, args) {
  // If it is set, as below editors that are Electron themselves, Electron is a Node without windows.
  const env = { ELECTRON_RUN_AS_NODE: undefined };
  const outcome = await run(binary, [ROOT, ...args], { stdin: true, env, listen: true });
  const interrupted =
    outcome.signal === 'SIGINT' || outcome.signal === 'SIGTERM' || outcome.signal === 'SIGHUP';
  if (outcome.code !== 0 && outcome.ms < EARLY_EXIT_MS && !interrupted) return earlyEnd(outcome);
  process.exitCode = outcome.code;
  return undefined;
}
