import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { nodeConfig, preloadConfig } from '../../../app/start/build.mjs';

export const ROOT = join(import.meta.dirname, '../../..');
/** Inside the checkout, so that the built files find their packages. */
export const CACHE = join(ROOT, 'node_modules', '.cache', 'zigzag');
const HERE = 'test/electron/standin';

export interface BuiltStandIn {
  readonly folder: string;
  /** The script of the pages' isolated world. */
  readonly world: string;
  readonly remove: () => void;
}

/** Builds the stand-in for Node, which runs no TypeScript in every supported version. */
export async function buildStandIn(): Promise<BuiltStandIn> {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'standin-'));
  const entries = Object.fromEntries(
    ['electron', 'boot', 'utility-boot'].map((name) => [name, `${HERE}/${name}.ts`]),
  );
  await build({ ...nodeConfig(entries, folder), logLevel: 'error' });
  await build({ ...preloadConfig({ 'page-world': `${HERE}/page-world.ts` }, folder), logLevel: 'error' });
  return {
    folder,
    world: join(folder, 'page-world.cjs'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
