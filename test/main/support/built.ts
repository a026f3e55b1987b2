import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { nodeConfig } from '../../../app/start/build.mjs';

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
  const input = Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(ROOT, file)]));
  await build({ ...nodeConfig(input, out), logLevel: 'error' });
  return {
    file: (name) => join(out, `${name}.js`),
    remove: () => rmSync(out, { recursive: true, force: true }),
  };
}
