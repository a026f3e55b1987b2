#!/usr/bin/env node
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';
import { addFrom, allBut, LATER, MODULES, ON_REQUEST, prepareFolder, replaceWith } from './packages.mjs';
import { fail, ROOT, say } from './root.mjs';
import { run } from './run.mjs';

const LOCKFILE = join(ROOT, 'package-lock.json');
const STAMP = join(MODULES, '.zigzag-stamp');
const OLDEST_NODE = [20, 19];

/** @typedef {'all' | 'lab'} PackageSet every package, or those that the lab needs: all but `LATER` of packages.mjs */

/** By set. @returns {Record<PackageSet, string>} */
function wantedStamps() {
  const hash = createHash('sha256').update(readFileSync(LOCKFILE)).digest('hex');
  const lock = `${process.platform}-${process.arch} ${hash}\n`;
  return { all: `all ${lock}`, lab: `lab ${lock}` };
}

/** @param {string} file */
function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * True if the installed packages are those of the lock file, when someone ran npm by hand. npm leaves a record of
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

/** @param {PackageSet} set */
function isInstalled(set) {
  if (!existsSync(MODULES)) return false;
  const stamp = readText(STAMP);
  const wanted = wantedStamps();
  if (stamp === wanted.all || stamp === wanted[set]) return true;
  // A stamp of the smaller set is true, so nobody ran npm by hand since.
  if (stamp === wanted.lab || !installedMatchesLockfile()) return false;
  writeFileSync(STAMP, wanted.all);
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

/**
 * No package's install script is run (.npmrc says the same to anyone who calls npm): one of them fetches a TensorFlow of
 * hundreds of MB and waits for its server without end.
 */
const QUIETLY = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** A package that was added on request comes again with a new lock file. @param {string} name */
const isKept = (name) => ON_REQUEST.includes(name) && existsSync(join(MODULES, name));

/** The one script that is needed: it lets macOS load the addon. @param {string} folder */
async function allowAddon(folder) {
  if (process.platform !== 'darwin' || !existsSync(join(folder, 'node_modules', 'webgpu'))) return;
  await npm(['rebuild', 'webgpu', '--ignore-scripts=false', '--prefix', folder]);
}

/** @param {PackageSet} set */
async function install(set) {
  const command = set === 'all' ? 'ci' : 'install';
  say(
    set === 'all'
      ? 'installing every package (npm ci); the first time takes a minute or more'
      : 'installing packages; the first time takes some seconds',
  );
  const folder = set === 'all' ? ROOT : prepareFolder(LATER.filter((name) => !isKept(name)));
  const { code } = await npm([command, ...QUIETLY, '--prefix', folder]);
  if (code !== 0) {
    throw new Error(
      `npm ${command} failed with exit code ${code}: see its message above, then run this command again.`,
    );
  }
  await allowAddon(folder);
  if (set === 'lab') replaceWith(folder);
  writeFileSync(STAMP, wantedStamps()[set]);
}

/**
 * Makes node_modules match package-lock.json; does nothing when it already does.
 *
 * @param {PackageSet} [set]
 */
export async function ensureInstalled(set = 'all') {
  refuseOldNode();
  if (isInstalled(set)) return;
  await withLock('install', async () => {
    if (!isInstalled(set)) await install(set);
  });
}

/**
 * Adds packages that the lab does without, in the lock file's versions, to those that are there.
 *
 * @param {typeof ON_REQUEST[number]} name
 * @returns {Promise<boolean>} false where it was there
 */
export async function ensureAdded(name) {
  await ensureInstalled('lab');
  return withLock('install', async () => {
    if (existsSync(join(MODULES, name))) return false;
    const folder = prepareFolder(allBut(name));
    const { code } = await npm(['install', ...QUIETLY, '--prefix', folder]);
    if (code !== 0) throw new Error(`${name} could not be fetched: is the npm registry reachable?`);
    await allowAddon(folder);
    addFrom(folder);
    return true;
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureInstalled().catch(fail);
