import { join } from 'node:path';
import { ensureInstalled } from './install.mjs';
import { ROOT } from './root.mjs';

/**
 * Builds the documentation (docs/) as static pages with search. VitePress comes with the packages of tests and packing.
 *
 * @param {string} outDir
 */
export async function buildDocs(outDir) {
  await ensureInstalled();
  const { build } = await import('vitepress');
  await build(join(ROOT, 'docs'), { outDir });
}
