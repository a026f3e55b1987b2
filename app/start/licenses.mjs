import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIST } from './built.mjs';
import { knownLicense } from './license-table.mjs';
import { ROOT } from './root.mjs';

/**
 * The packages that ship, and the texts of their licences: packages that the program loads, and packages that Vite put
 * into the pages. What ships without a text fails the build.
 *
 * @typedef {{ name: string, version: string, license: string, text: string }} Shipped
 * @typedef {{ path: string, name: string, version: string, license: string }} Locked
 */

export const LICENSES = join(DIST, 'THIRD-PARTY-LICENSES.txt');
/** Vite's list of each page's packages. */
const BUNDLED = join(DIST, '.licenses');
export const bundledFile = (/** @type {string} */ page) => join(BUNDLED, `${page}.json`);

const TEXT_FILE = /^(?:licen[cs]e|copying|unlicense|notice|third.?party)/i;
/** A section at the end of a README that is the licence itself, not its name. */
const IN_README =
  /^(?:#+ *)?licen[cs]e\b[^\n]*\n(?:-+|=+)?\s*([\s\S]*permission is hereby granted[\s\S]*)$/im;

/**
 * Packages that are no development's, whether or not they are for this platform.
 *
 * @param {string} root
 * @returns {Locked[]}
 */
export function lockedPackages(root = ROOT) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages).flatMap(([path, { dev, version, license }]) =>
    path === '' || dev
      ? []
      : [{ path, version, name: path.split('node_modules/').at(-1) ?? path, license: license ?? 'unknown' }],
  );
}

/**
 * The text that comes with a package, or that is known for it; undefined for neither.
 *
 * @param {string} folder
 * @param {string} name
 */
export function licenseText(folder, name) {
  const files = existsSync(folder) ? readdirSync(folder).sort() : [];
  const read = (/** @type {string} */ file) => readFileSync(join(folder, file), 'utf8').trim();
  const own = files.filter((file) => TEXT_FILE.test(file) && !/\.(?:[cm]?js|json|ts)$/.test(file)).map(read);
  if (own.some((text) => text !== '')) return own.join('\n\n');
  const readme = files.find((file) => /^readme/i.test(file));
  const section = readme === undefined ? undefined : IN_README.exec(read(readme))?.[1];
  return section?.trim() ?? knownText(name);
}

/** @param {string} name */
function knownText(name) {
  const known = knownLicense(name);
  if (known === undefined) return undefined;
  const granted = known.of.map(({ holder, texts }) => [holder, ...texts.map(spdxText)].join('\n\n'));
  return [...granted, `(The package comes without this text; its holder is from ${known.source}.)`].join(
    '\n\n',
  );
}

/** @param {string} id */
const spdxText = (id) => readFileSync(join(import.meta.dirname, 'licenses', `${id}.txt`), 'utf8').trim();

/**
 * All that ships, sorted, each version once.
 *
 * @param {readonly { name: string, version: string, identifier?: string, text?: string }[]} bundled
 * @param {string} root
 * @returns {Shipped[]}
 * @throws Error where one comes without the text of its licence
 */
export function shippedPackages(bundled = bundledPackages(), root = ROOT) {
  const loaded = lockedPackages(root)
    // A package of another platform: only what is installed here is packed here.
    .filter(({ path }) => existsSync(join(root, path)))
    .map((one) => ({ ...one, text: licenseText(join(root, one.path), one.name) }));
  const inPages = bundled.map(({ name, version, identifier = 'unknown', text }) => ({
    ...{ name, version, license: identifier },
    text: text?.trim() || licenseText(join(root, 'node_modules', name), name),
  }));
  const all = new Map();
  for (const { name, version, license, text } of [...loaded, ...inPages]) {
    if (text === undefined) {
      throw new Error(
        `${name} ${version} (${license}) ships without the text of its licence: add it to app/start/license-table.mjs.`,
      );
    }
    all.set(`${name}@${version}`, { name, version, license, text });
  }
  return [...all.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, shipped]) => shipped);
}

function bundledPackages() {
  return readdirSync(BUNDLED).flatMap((file) => JSON.parse(readFileSync(join(BUNDLED, file), 'utf8')));
}

/**
 * Each text once, after the packages that it is of.
 *
 * @param {readonly Shipped[]} shipped
 */
export function licensesDocument(shipped) {
  /** @type {Map<string, string[]>} */
  const byText = new Map();
  for (const { name, version, license, text } of shipped) {
    byText.set(text, [
      ...(byText.get(text) ?? []),
      `${name} ${version} (${license.replace(/^\((.*)\)$/, '$1')})`,
    ]);
  }
  const rule = '-'.repeat(80);
  const parts = [...byText].map(([text, names]) => `${rule}\n${names.join('\n')}\n${rule}\n\n${text}\n`);
  const opening =
    `Zigzag ships ${shipped.length} packages of others. This is each with its licence. The desktop program's\n` +
    'Electron and Chromium have theirs beside it (LICENSE.electron.txt, LICENSES.chromium.html).\n';
  return [opening, ...parts].join('\n');
}

/** @throws Error where a package comes without the text of its licence */
export function writeLicenses() {
  mkdirSync(DIST, { recursive: true });
  writeFileSync(LICENSES, licensesDocument(shippedPackages()));
}
