#!/usr/bin/env node
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE } from './electron.mjs';
import { ensureElectron } from './electron-download.mjs';
import { ensureInstalled, npm } from './install.mjs';
import { writeLicenses } from './licenses.mjs';
import { fail, ROOT, STATE, say } from './root.mjs';
import { run, runNode } from './run.mjs';

const BUILDER = join(ROOT, 'node_modules', 'electron-builder', 'cli.js');
/** electron-builder's options that name a system. */
const SYSTEMS = {
  linux: ['--linux', '-l'],
  win32: ['--win', '--windows', '-w'],
  darwin: ['--mac', '--macos', '-m'],
};
const ARCHS = ['x64', 'arm64', 'universal'];
/** Electron's platforms, and the name of the database's addon on each. */
const ADDONS = {
  linux: { x64: ['linux-x64-gnu'], arm64: ['linux-arm64-gnu'] },
  darwin: { x64: ['darwin-x64'], arm64: ['darwin-arm64'], universal: ['darwin-x64', 'darwin-arm64'] },
  win32: { x64: ['win32-x64-msvc'], arm64: [] },
};

/**
 * `npm run dist -- [OPTIONS OF ELECTRON-BUILDER]`: builds the lab and packs it for this system and, unless `--x64`,
 * `--arm64` or `--universal` says otherwise, for this machine, whose Electron is the one that `npm start` fetched and
 * verified. Read from the environment: ZIGZAG_HOMEPAGE (the packages' homepage), ZIGZAG_UPDATES (an https address that
 * will serve the packages: feeds of updates are written beside them, which the program looks into when its menu is
 * asked to), and electron-builder's own for signing and
 * notarising.
 *
 * @param {readonly string[]} args
 */
async function main(args) {
  await ensureInstalled();
  const { code: built } = await runNode([join(ROOT, 'app/start/build.mjs'), '--clean']);
  if (built !== 0) throw new Error(`the build failed with exit code ${built}: see its message above.`);
  const named = ARCHS.filter((arch) => args.includes(`--${arch}`));
  const archs = named.length > 0 ? named : [process.arch];
  await ensureAddons(archs);
  // Again, with the addons of another machine.
  writeLicenses();
  const { code: listed } = await runNode([join(ROOT, 'app/start/sbom.mjs')]);
  if (listed !== 0) throw new Error('there is no bill of materials: see the message above.');
  const { code } = await runNode([
    BUILDER,
    ...args,
    ...archs.filter((arch) => !named.includes(arch)).map((arch) => `--${arch}`),
    ...(await electronOptions(args, archs)),
    ...environmentOptions(process.env),
  ]);
  process.exitCode = code;
}

/**
 * npm installs the addons of this machine alone.
 *
 * @param {readonly string[]} archs
 */
async function ensureAddons(archs) {
  const ofSystem = /** @type {Record<string, Record<string, string[]>>} */ (ADDONS)[process.platform] ?? {};
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  for (const name of new Set(archs.flatMap((arch) => ofSystem[arch] ?? []))) {
    const path = `node_modules/@libsql/${name}`;
    if (existsSync(join(ROOT, path))) continue;
    const { version } = packages[path];
    say(`fetching @libsql/${name} ${version}`);
    const target = join(ROOT, path);
    const { code } = await npm(['pack', `@libsql/${name}@${version}`, '--pack-destination', STATE]);
    if (code !== 0) throw new Error(`@libsql/${name} could not be fetched: is the npm registry reachable?`);
    mkdirSync(target, { recursive: true });
    const archive = join(STATE, `libsql-${name}-${version}.tgz`);
    const unpacked = await run('tar', ['-xzf', archive, '-C', target, '--strip-components=1']);
    rmSync(archive);
    if (unpacked.code !== 0)
      throw new Error(`@libsql/${name} could not be unpacked: is there a program tar?`);
  }
}

/**
 * @param {readonly string[]} args
 * @param {readonly string[]} archs
 */
async function electronOptions(args, archs) {
  if (args.some((arg) => /^(-c|--config)\.electronDist/.test(arg))) return [];
  const others = Object.entries(SYSTEMS).flatMap(([system, names]) =>
    system === process.platform ? [] : names,
  );
  const isForHere = archs.every((arch) => arch === process.arch) && !args.some((arg) => others.includes(arg));
  if (!isForHere || process.platform === 'darwin') return [];
  const electron = await ensureElectron();
  if ('reason' in electron) {
    say(`electron-builder fetches Electron itself (${electron.reason})`);
    return [];
  }
  return electron.binary.startsWith(PACKAGE) ? [`-c.electronDist=${join(PACKAGE, 'dist')}`] : [];
}

/** @param {NodeJS.ProcessEnv} env */
export function environmentOptions({ ZIGZAG_HOMEPAGE: homepage, ZIGZAG_UPDATES: updates }) {
  const options = [];
  if (homepage) options.push(`-c.extraMetadata.homepage=${homepage}`);
  if (updates) {
    if (!URL.canParse(updates) || new URL(updates).protocol !== 'https:')
      throw new Error(`ZIGZAG_UPDATES is ${updates}, which is no https address: mend or unset it.`);
    options.push('-c.publish.provider=generic', `-c.publish.url=${updates}`, '--publish=never');
    // Read by the program itself, whose menu then has an entry that looks there.
    options.push(`-c.extraMetadata.updates=${updates}`);
  }
  return options;
}

if (process.argv[1] === import.meta.filename) main(process.argv.slice(2)).catch(fail);
