#!/usr/bin/env node
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';
import { fail, ROOT, say } from './root.mjs';
import { run } from './run.mjs';

const LOCKFILE = join(ROOT, 'package-lock.json');
const MODULES = join(ROOT, 'node_modules');
const STAMP = join(MODULES, '.zigzag-stamp');
const OLDEST_NODE = [20, 19];

const wantedStamp = () =>
  `${process.platform}-${process.arch} ${createHash('sha256').update(readFileSync(LOCKFILE)).digest('hex')}\n`;

/** @param {string} file */
function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Whether what is installed is what the lock file asks for, when someone ran npm by hand. npm leaves a record of
 * what it installed; packages that may be absent (optional ones, other platforms' binaries) may be missing from it.
 */
function installedMatchesLockfile() {
  const record = readText(join(MODULES, '.package-lock.json'));
  if (record === undefined) return false;
  const installed = JSON.parse(record).packages ?? {};
  for (const [path, wanted] of Object.entries(JSON.parse(readFileSync(LOCKFILE, 'utf8')).packages)) {
    if (path === '') continue;
    const found = installed[path];
    const mayBeAbsent = wanted.optional || wanted.devOptional || wanted.peer;
    if (found ? found.version !== wanted.version : !mayBeAbsent) return false;
  }
  return true;
}

function isInstalled() {
  if (!existsSync(MODULES)) return false;
  const stamp = wantedStamp();
  if (readText(STAMP) === stamp) return true;
  if (!installedMatchesLockfile()) return false;
  writeFileSync(STAMP, stamp);
  return true;
}

function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new Error(
    `Node ${OLDEST_NODE.join('.')} or newer is needed, this is ${process.versions.node}: install a newer Node.`,
  );
}

/**
 * Under `npm run`, npm tells where it is; on Windows a bare `npm` is a batch file, which needs a shell.
 *
 * @returns {[string, ...string[]]}
 */
export function npmCommand() {
  const file = process.env['npm_execpath'];
  return file?.endsWith('.js') && existsSync(file) ? [process.execPath, file] : ['npm'];
}

/**
 * @param {readonly string[]} args
 * @param {'stderr' | 'collect'} [output]
 */
export function npm(args, output = 'stderr') {
  const [program, ...first] = npmCommand();
  const shell = first.length === 0 && process.platform === 'win32';
  return run(program, [...first, ...args], { output, shell });
}

async function install() {
  say('installing packages (npm ci); the first time takes a minute or more');
  // No package's install script is run (.npmrc says the same to whoever calls npm): one of them fetches a TensorFlow of
  // hundreds of MB and waits for its server without end.
  const { code } = await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  if (code !== 0) {
    throw new Error(
      `npm ci failed with exit code ${code}: see its message above, then run this command again.`,
    );
  }
  // The one that is needed: it lets macOS load the addon.
  if (process.platform === 'darwin') await npm(['rebuild', 'webgpu', '--ignore-scripts=false']);
  writeFileSync(STAMP, wantedStamp());
}

/** Makes node_modules match package-lock.json; does nothing when it already does. */
export async function ensureInstalled() {
  refuseOldNode();
  if (isInstalled()) return;
  await withLock('install', async () => {
    if (!isInstalled()) await install();
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureInstalled().catch(fail);
