import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { aptInstall } from './apt.mjs';
import { ROOT } from './root.mjs';
import { runNode } from './run.mjs';

export const NO_CHROMIUM = 'there is no Chromium: install one, or name one in ZIGZAG_CHROMIUM';
export const NO_SOFTWARE_GPU = 'there is no software GPU: install chromium and libvulkan1';
const DEBIAN_FOLDER = '/usr/lib/chromium';
/** Without a window to draw in, pages take a quarter less of the processor. */
const HEADLESS = 'chromium-headless-shell';
const NAMES = [
  ...[HEADLESS, 'chromium', 'chromium-browser'],
  ...['google-chrome-stable', 'google-chrome', 'microsoft-edge'],
];

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
  return NAMES.flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)));
}

/** A Chromium on this machine for the tests; ZIGZAG_CHROMIUM names another one. */
export function findChromium() {
  const chosen = process.env['ZIGZAG_CHROMIUM'];
  if (chosen) return existsSync(chosen) ? chosen : undefined;
  return candidates().find((file) => existsSync(file));
}

/** True elsewhere than on Linux, where no test asks for the loader. */
function hasVulkanLoader() {
  if (process.platform !== 'linux') return true;
  const { stdout } = spawnSync('/sbin/ldconfig', ['-p'], { encoding: 'utf8' });
  return stdout?.includes('libvulkan.so.1') ?? false;
}

/**
 * The software GPU beside a Chromium, as a Vulkan driver's description: what the tests of WebGPU run on. None without
 * the loader that opens it.
 *
 * @returns {string | undefined}
 */
export function findSwiftShader() {
  if (!hasVulkanLoader()) return undefined;
  const chromium = findChromium();
  return [DEBIAN_FOLDER, ...(chromium ? [dirname(realpathSync(chromium))] : [])]
    .map((folder) => join(folder, 'vk_swiftshader_icd.json'))
    .find((file) => existsSync(file));
}

/**
 * Runs Playwright, whose words after `--project` would all be names of projects.
 *
 * @param {readonly string[]} args
 * @param {string} project of its configuration
 * @param {Parameters<typeof runNode>[1]} [options]
 */
export function runPlaywright(args, project, options) {
  const program = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js');
  const config = join(ROOT, 'test', 'e2e', 'playwright.config.ts');
  return runNode([program, 'test', ...args, '--config', config, `--project=${project}`], options);
}

/**
 * Both, installed first where that needs nobody's consent.
 *
 * @param {boolean} [wantsFastest] true to install the fastest though another is there
 */
export async function ensureChromium(wantsFastest = false) {
  const has = wantsFastest ? findChromium()?.endsWith(HEADLESS) : findChromium();
  if (!process.env['ZIGZAG_CHROMIUM'] && !(has && findSwiftShader())) {
    const install = (/** @type {string} */ name) =>
      aptInstall('the tests in a browser and of WebGPU', [name, 'libvulkan1']);
    // Older systems have no package of it.
    if (await install(HEADLESS)) await install('chromium');
  }
  return findChromium();
}
