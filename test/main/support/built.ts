import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { nodeConfig } from '../../../app/start/build.mjs';

export const ROOT = join(import.meta.dirname, '../../..');
/** Inside the checkout, so that the built files find their packages. */
export const CACHE = join(ROOT, 'node_modules', '.cache', 'zigzag');

export interface BuiltEntries {
  readonly folder: string;
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
  const folder = mkdtempSync(join(CACHE, 'test-'));
  await build({ ...nodeConfig(entries, folder), logLevel: 'error' });
  return {
    folder,
    file: (name) => join(folder, `${name}.js`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
