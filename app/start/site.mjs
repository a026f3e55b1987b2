import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from './root.mjs';

/**
 * The lab as static files (`npm run site`): the page of the lab as it is, a worker in place of the server, and an
 * `index.html` that says so. All addresses are relative, so that it works in any folder of any host.
 */

const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const HOST = 'main/site/host.ts';

/**
 * Content security policy of the page. Styles are narrowed to the page's own by itself (renderer/early-key-and-policy.ts), since a file has no nonce
 * that is fresh. A worker is bound by the headers of its own file, of which a static host sends none.
 */
export const SITE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** For who opens the page where no code of it runs; it shows late, so that nobody else sees it. */
const NO_CODE =
  'Zigzag is loading. If this stays: browsers run none of its code from a disk (file://), so open it from a web server, ' +
  'for instance <code>npx http-server</code> or <code>python3 -m http.server</code> in this folder.';
const NO_CODE_STYLE = '.zz-loading{animation:zz-loading 4s step-end}@keyframes zz-loading{from{opacity:0}}\n';

/**
 * The worker that is the lab's host, and the solver's, which it starts.
 *
 * @param {string} outDir
 * @param {import('vite').InlineConfig} shared
 * @param {string} licenses file name of Vite's list of what it put in
 * @returns {import('vite').InlineConfig}
 */
export const siteConfig = (outDir, shared, licenses) => ({
  ...shared,
  root: ROOT,
  base: './',
  define: { ZIGZAG_VERSION: JSON.stringify(PACKAGE.version) },
  worker: { format: 'es', rolldownOptions: { output: { entryFileNames: 'assets/[name]-[hash].js' } } },
  build: {
    target: 'es2022',
    outDir,
    emptyOutDir: true,
    minify: true,
    sourcemap: false,
    license: { fileName: licenses },
    assetsInlineLimit: 0,
    modulePreload: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      input: { host: resolve(ROOT, HOST) },
      output: { entryFileNames: 'assets/[name]-[hash].js' },
    },
  },
});

/**
 * Puts the page into the folder with the workers.
 *
 * @param {{ page: string, site: string, licenses: string, downloads: string | null }} parts folder of the built page;
 *   folder of the built workers, which becomes the site; file with the licences of what ships; where the desktop program
 *   is available
 */
export function composeSite({ page, site, licenses, downloads }) {
  const host = readdirSync(join(site, 'assets')).find((name) => /^host-.*\.js$/.test(name));
  if (host === undefined) throw new Error('the build of the site has no host.');
  cpSync(join(page, 'assets'), join(site, 'assets'), {
    recursive: true,
    filter: (source) => !source.endsWith('.map'),
  });
  for (const name of readdirSync(join(site, 'assets')).filter((file) => /\.(?:js|css)$/.test(file))) {
    const file = join(site, 'assets', name);
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      text.replace(/\n(?:\/\/# sourceMappingURL=[^\n]*|\/\*# sourceMappingURL=[^\n]*\*\/)\s*$/, '\n'),
    );
  }
  const style = 'assets/loading.css';
  writeFileSync(join(site, style), NO_CODE_STYLE);
  const meta = (/** @type {string} */ name, /** @type {string} */ content) =>
    `<meta name="${name}" content="${content.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}" />`;
  const head = [
    `<meta http-equiv="Content-Security-Policy" content="${SITE_POLICY}" />`,
    meta('referrer', 'no-referrer'),
    meta('zigzag-host', `./assets/${host}`),
    ...(downloads === null ? [] : [meta('zigzag-downloads', downloads)]),
    `<link rel="stylesheet" href="./${style}" />`,
  ];
  const html = readFileSync(join(page, 'index.html'), 'utf8')
    .replace(/<meta charset="utf-8"\s*\/?>/i, (charset) => [charset, ...head].join('\n    '))
    .replace('<div id="root"></div>', () => `<div id="root"><p class="zz-loading">${NO_CODE}</p></div>`);
  for (const part of [...head, NO_CODE]) {
    if (!html.includes(part)) throw new Error('the page has no place for what the site adds to it.');
  }
  writeFileSync(join(site, 'index.html'), html);
  if (existsSync(licenses)) cpSync(licenses, join(site, 'licenses.txt'));
  // GitHub Pages would otherwise leave out what begins with an underscore.
  writeFileSync(join(site, '.nojekyll'), '');
}

/** Address of the desktop program: ZIGZAG_DOWNLOADS, else `config.downloads` of package.json; null if unknown. */
export function downloadsAddress() {
  const given = process.env['ZIGZAG_DOWNLOADS'] || PACKAGE.config?.downloads;
  if (!given) return null;
  if (!URL.canParse(given) || new URL(given).protocol !== 'https:') {
    throw new Error(`ZIGZAG_DOWNLOADS: expected an https address, got ${JSON.stringify(given)}.`);
  }
  return new URL(given).href;
}

/**
 * @param {string} draft
 * @param {string} place
 */
export function swapIn(draft, place) {
  rmSync(place, { recursive: true, force: true });
  mkdirSync(join(place, '..'), { recursive: true });
  renameSync(draft, place);
}
