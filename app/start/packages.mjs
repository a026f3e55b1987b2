import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, STATE } from './root.mjs';

export const MODULES = join(ROOT, 'node_modules');

/**
 * Packages that building, opening and using the lab do without. Tests, checks, benchmarks and packing take every package;
 * what else is here comes when somebody asks for it, `npm run setup:tensorflow`, `npm run setup:webgpu`.
 */
export const LATER = [
  '@axe-core/playwright',
  '@biomejs/biome',
  '@electron/asar',
  '@playwright/test',
  '@tensorflow/tfjs-node-gpu',
  '@testing-library/dom',
  '@testing-library/react',
  '@testing-library/user-event',
  '@types/d3-hierarchy',
  '@types/node',
  '@types/react',
  '@types/react-dom',
  '@types/ws',
  '@vitest/coverage-v8',
  'dependency-cruiser',
  'electron-builder',
  'fast-check',
  'happy-dom',
  'knip',
  'playwright-core',
  'typescript',
  'vitepress',
  'vitest',
  'webgpu',
];

/** The ones among them that are added to the lab's packages on request; each needs no further package. */
export const ON_REQUEST = ['webgpu'];

const FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/**
 * @param {Record<string, any>} manifest of the lab
 * @param {readonly string[]} without names of packages
 * @returns {Record<string, any>}
 */
export function manifestWithout(manifest, without) {
  const left = Object.fromEntries(
    FIELDS.filter((field) => manifest[field] !== undefined).map((field) => [
      field,
      Object.fromEntries(Object.entries(manifest[field]).filter(([name]) => !without.includes(name))),
    ]),
  );
  return { ...manifest, ...left };
}

/**
 * A folder from which npm installs all packages but these, in the lock file's versions and with its hashes: npm itself
 * drops from a lock file what a manifest does not lead to. In the same file system as the checkout.
 *
 * @param {readonly string[]} without
 */
export function prepareFolder(without) {
  const folder = join(STATE, 'install');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifestWithout(readManifest(), without)));
  for (const file of ['package-lock.json', '.npmrc']) copyFileSync(join(ROOT, file), join(folder, file));
  return folder;
}

/** Every package but this one. @param {string} name */
export function allBut(name) {
  const manifest = readManifest();
  return FIELDS.flatMap((field) => Object.keys(manifest[field] ?? {})).filter((other) => other !== name);
}

/**
 * Makes what was installed in such a folder the checkout's packages, and removes the folder.
 *
 * @param {string} folder
 */
export function replaceWith(folder) {
  rmSync(MODULES, { recursive: true, force: true });
  renameSync(join(folder, 'node_modules'), MODULES);
  rmSync(folder, { recursive: true });
}

/**
 * Adds what was installed in such a folder to the checkout's packages, and removes the folder. One lock file says
 * where each package is, so that what is there already is the same.
 *
 * @param {string} folder
 */
export function addFrom(folder) {
  const modules = join(folder, 'node_modules');
  const names = readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((own) => `${name}/${own}`) : [name],
  );
  for (const name of names) {
    const target = join(MODULES, name);
    if (name.startsWith('.') || existsSync(target)) continue;
    mkdirSync(dirname(target), { recursive: true });
    renameSync(join(modules, name), target);
  }
  rmSync(folder, { recursive: true });
}

/** @returns {Record<string, any>} */
const readManifest = () => JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
