import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { say } from './root.mjs';
import { run } from './run.mjs';

const INSTALL_LIMIT_MS = 10 * 60_000;
const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];

function candidates() {
  const { PATH = '', ProgramFiles, LOCALAPPDATA } = process.env;
  if (process.platform === 'win32') {
    return [ProgramFiles, process.env['ProgramFiles(x86)'], LOCALAPPDATA]
      .filter((folder) => folder !== undefined)
      .flatMap((folder) => [
        join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'),
        join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
      ]);
  }
  if (process.platform === 'darwin') {
    return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  }
  return PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
}

/** A Chromium on this machine for the end-to-end tests; ZIGZAG_CHROMIUM names another one. */
export function findChromium() {
  const chosen = process.env['ZIGZAG_CHROMIUM'];
  if (chosen) return existsSync(chosen) ? chosen : undefined;
  return candidates().find((file) => existsSync(file));
}

/** The same, installed first where that needs nobody's consent: as root on Debian, which is what a CI machine is. */
export async function ensureChromium() {
  const found = findChromium();
  if (found || process.env['ZIGZAG_CHROMIUM']) return found;
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    return undefined;
  say('installing chromium for the end-to-end tests (apt-get)');
  /** @type {Parameters<typeof run>[2]} */
  const options = {
    output: 'stderr',
    timeoutMs: INSTALL_LIMIT_MS,
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  };
  await run('apt-get', ['update', '-qq'], options);
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], options);
  return findChromium();
}
