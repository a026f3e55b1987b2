import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { nodeConfig, pageConfig, preloadConfig } from '../../../app/start/build.mjs';

const ROOT = join(import.meta.dirname, '../../..');
/** Inside the checkout, so that the built files find their packages. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'zigzag');

export interface BuiltEntries {
  /** Path of an entry's file. */
  readonly file: (name: string) => string;
  readonly remove: () => void;
}

/**
 * Builds entries as the product does, into a folder of their own: threads and child processes cannot
 * run TypeScript on every supported Node.
 *
 * @param entries output name to source file, from the root of the checkout
 */
export async function buildEntries(entries: Readonly<Record<string, string>>): Promise<BuiltEntries> {
  mkdirSync(CACHE, { recursive: true });
  const out = mkdtempSync(join(CACHE, 'test-main-'));
  await build({ ...nodeConfig(entries, out), logLevel: 'error' });
  return {
    file: (name) => join(out, `${name}.js`),
    remove: () => rmSync(out, { recursive: true, force: true }),
  };
}

export interface BuiltWindow {
  readonly trainerPageRoot: string;
  readonly trainerPreload: string;
  readonly remove: () => void;
}

/** Builds the page and the preload script of the trainer's hidden window, as the product does. */
export async function buildTrainerWindow(): Promise<BuiltWindow> {
  mkdirSync(CACHE, { recursive: true });
  const out = mkdtempSync(join(CACHE, 'test-window-'));
  const trainerPageRoot = join(out, 'page');
  const page = await pageConfig({ window: 'main/trainer/window.html' }, trainerPageRoot);
  await build({ ...page, logLevel: 'error' });
  const preload = preloadConfig({ preload: 'app/preload-trainer.ts' }, out);
  await build({ ...preload, logLevel: 'error' });
  return {
    trainerPageRoot,
    trainerPreload: join(out, 'preload.cjs'),
    remove: () => rmSync(out, { recursive: true, force: true }),
  };
}
