#!/usr/bin/env node
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DIST, isFresh, markFresh, NAMED_PARTS, PART_NAMES, signatureOf } from './built.mjs';
import { buildDocs } from './docs.mjs';
import { ensureInstalled } from './install.mjs';
import { bundledFile, LICENSES, writeLicenses } from './licenses.mjs';
import { withLock } from './lock.mjs';
import { fail, ROOT, say } from './root.mjs';
import { composeSite, downloadsAddress, siteConfig, swapIn } from './site.mjs';

/**
 * `npm run build [PART...] [-- --clean]`: builds what is stale, with Vite. Not with electron-vite (tried: 6.0),
 * which builds all of it each time, changed or not, for Electron's Node, with all pages below one root: the command
 * line needs its part alone, for every Node, and the lab and the trainer's window are each a root of their own.
 */

/** @typedef {import('./built.mjs').PartName} PartName */
/** @typedef {import('vite').InlineConfig} Config */

const NODE_ENTRIES = {
  cli: 'app/cli/main.ts',
  'solver-worker': 'main/solver/worker.ts',
  trainer: 'main/trainer/process.ts',
  history: 'main/history/process.ts',
  reader: 'main/reader/process.ts',
  'electron-main': 'main/electron/main.ts',
};
const PRELOADS = { preload: 'app/preload.ts', 'preload-trainer': 'app/preload-trainer.ts' };
const PAGES = {
  'trainer-window': { window: 'main/trainer/window.html' },
  renderer: { index: 'renderer/index.html' },
};

/** Vite's own list of what it put into a page. */
const PAGE_LICENSES = 'licenses.json';

const DAY_MS = 24 * 3600 * 1000;

/** Packages that jsPDF loads only to draw HTML and to turn SVG into bitmaps; no figure does either. */
const NOT_USED = Object.fromEntries(
  ['html2canvas', 'dompurify', 'canvg'].map((name) => [
    name,
    join(ROOT, 'renderer/shared/charts/not-used.ts'),
  ]),
);

/** @type {Config} */
const SHARED = { configFile: false, envDir: false, logLevel: 'warn', publicDir: false };

/** @typedef {Readonly<Record<string, string>>} Entries output name to source file */

/** @param {Entries} entries */
const absolute = (entries) =>
  Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, resolve(ROOT, file)]));

/**
 * @param {Entries} entries
 * @param {string} outDir
 * @param {NonNullable<import('vite').BuildOptions['rolldownOptions']>} options
 * @returns {Config}
 */
const serverConfig = (entries, outDir, options) => ({
  ...SHARED,
  root: ROOT,
  build: {
    ssr: true,
    target: 'node20',
    outDir,
    emptyOutDir: false,
    minify: false,
    sourcemap: true,
    rolldownOptions: { input: absolute(entries), ...options },
  },
});

/**
 * Packages stay outside the bundle, and code that several entries need is shared, so that `cli.js` and a module
 * that it loads on demand see the same classes.
 *
 * @param {Entries} entries
 * @param {string} outDir
 */
export const nodeConfig = (entries, outDir) =>
  serverConfig(entries, outDir, {
    output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
  });

/**
 * A sandboxed preload script can load nothing but electron: everything else goes into its one file.
 *
 * @param {Entries} entries
 * @param {string} outDir
 * @returns {Config}
 */
export const preloadConfig = (entries, outDir) => ({
  ...serverConfig(entries, outDir, {
    external: ['electron'],
    output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
  }),
  ssr: { noExternal: true, external: ['electron'] },
});

/**
 * @param {Entries} entries pages of one folder
 * @param {string} outDir
 * @returns {Promise<Config>}
 */
export async function pageConfig(entries, outDir) {
  const { default: react } = await import('@vitejs/plugin-react');
  const input = absolute(entries);
  return {
    ...SHARED,
    root: dirname(Object.values(input)[0] ?? ROOT),
    // Relative addresses work under any scheme, host and path.
    base: './',
    plugins: [react(), unusedStyles],
    resolve: { alias: NOT_USED },
    worker: { format: 'es' },
    build: {
      target: 'es2022',
      outDir,
      emptyOutDir: true,
      minify: true,
      sourcemap: true,
      license: { fileName: PAGE_LICENSES },
      // The page's content security policy allows no data: addresses.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 2000,
      rolldownOptions: {
        input,
        // The first screen comes as one file: each further file is another request before anything is drawn.
        output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
      },
    },
  };
}

/** Hashes that name classes of Mantine's components. */
const MANTINE_CLASS = /(?<![-\w])m_[0-9a-f]+/g;
const MANTINE_KEYFRAMES = /(?<=@keyframes )m_[0-9a-f]+/g;
/** Safari 16 needs the most prefixes of the browsers that Vite means by es2022. */
const targets = { safari: 16 << 16 };

/**
 * Mantine's style sheet has the rules of all its components: those that no code of the page names go.
 *
 * @type {import('vite').Plugin}
 */
const unusedStyles = {
  name: 'zigzag-unused-styles',
  async generateBundle(_, bundle) {
    const { transform } = await import('lightningcss');
    const files = Object.values(bundle);
    const code = files.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n');
    for (const file of files) {
      if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue;
      const css = String(file.source);
      const used = new Set([...(code.match(MANTINE_CLASS) ?? []), ...(css.match(MANTINE_KEYFRAMES) ?? [])]);
      const unusedSymbols = [...new Set(css.match(MANTINE_CLASS))].filter((name) => !used.has(name));
      const { fileName: filename } = file;
      file.source = transform({
        filename,
        code: Buffer.from(css),
        minify: true,
        unusedSymbols,
        targets,
      }).code;
    }
  },
};

/** @param {Config} config */
async function viteBuild(config) {
  const { build } = await import('vite');
  await build(config);
}

async function buildNode() {
  const out = join(DIST, 'node');
  await viteBuild(nodeConfig(NODE_ENTRIES, out));
  for (const [name, source] of Object.entries(PRELOADS)) {
    await viteBuild(preloadConfig({ [name]: source }, DIST));
  }
  // A process that runs since before this build may still load a chunk of the previous one, so old chunks stay a day.
  const chunks = join(out, 'chunks');
  for (const file of readdirSync(chunks).map((name) => join(chunks, name))) {
    if (Date.now() - statSync(file).mtimeMs > DAY_MS) rmSync(file);
  }
}

/** @param {keyof typeof PAGES} name */
async function buildPage(name) {
  // A page is swapped in whole, because a server may be handing out the previous one.
  const draft = join(DIST, `.draft-${name}`);
  await viteBuild(await pageConfig(PAGES[name], draft));
  keepLicenses(draft, name);
  swapIn(draft, join(DIST, name));
}

/**
 * @param {string} draft
 * @param {string} name
 */
function keepLicenses(draft, name) {
  const licenses = bundledFile(name);
  mkdirSync(dirname(licenses), { recursive: true });
  renameSync(join(draft, PAGE_LICENSES), licenses);
}

/** The page as it is, and the workers that answer it in place of a server. */
async function buildSite() {
  const downloads = downloadsAddress();
  await buildIfStale('renderer');
  const draft = join(DIST, '.draft-site');
  await viteBuild(siteConfig(draft, SHARED, PAGE_LICENSES));
  keepLicenses(draft, 'site');
  await buildDocs(join(draft, 'docs'));
  keepLicenses(join(draft, 'docs'), 'docs');
  if (Object.keys(PAGES).every((page) => existsSync(bundledFile(page)))) writeLicenses();
  composeSite({ page: join(DIST, 'renderer'), site: draft, licenses: LICENSES, downloads });
  swapIn(draft, join(DIST, 'site'));
  say(`the site is in ${join(DIST, 'site')}: any static host serves it, from any folder.`);
}

/** @type {Record<PartName, () => Promise<void>>} */
const BUILDS = {
  node: buildNode,
  'trainer-window': () => buildPage('trainer-window'),
  renderer: () => buildPage('renderer'),
  site: buildSite,
};

/** @param {PartName} name */
async function buildIfStale(name) {
  if (isFresh(name)) return;
  const signature = signatureOf(name);
  say(`building ${name}`);
  const started = performance.now();
  await BUILDS[name]();
  say(`${name}: built in ${Math.round(performance.now() - started)} ms`);
  markFresh(name, signature);
}

/** @param {readonly string[]} args */
async function main(args) {
  const named = args.filter((arg) => !arg.startsWith('--'));
  const all = [...PART_NAMES, ...NAMED_PARTS];
  const names = named.length === 0 ? PART_NAMES : all.filter((name) => named.includes(name));
  const unknown = named.filter((name) => !all.some((part) => part === name));
  if (unknown.length > 0) {
    throw new Error(`there is no part ${unknown.join(', ')}: choose from ${all.join(', ')}.`);
  }
  await ensureInstalled('lab');
  await withLock('build', async () => {
    if (args.includes('--clean')) rmSync(DIST, { recursive: true, force: true });
    for (const name of names) await buildIfStale(name);
    if (Object.keys(PAGES).every((page) => existsSync(bundledFile(page)))) writeLicenses();
  });
}

if (process.argv[1] === import.meta.filename) main(process.argv.slice(2)).catch(fail);
