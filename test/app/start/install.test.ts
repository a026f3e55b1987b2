import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

it('never runs a package’s install script', () => {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const said = execFileSync(npm, ['config', 'get', 'ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  expect(said.trim()).toBe('true');
});

it('lists every package that has one; the lab works without them', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };
  const scripted = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript === true);
  expect(scripted.map((path) => path.replace(/^.*node_modules\//, '')).sort()).toEqual([
    // Fetches TensorFlow: on request only.
    '@tensorflow/tfjs-node-gpu',
    // A plea for money.
    'core-js',
    // Chooses a program for an installer that is not made.
    'electron-winstaller',
    // Lets macOS load the addon: app/start/install.mjs runs it there.
    'webgpu',
  ]);
});
