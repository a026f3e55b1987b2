import { join } from 'node:path';
import { build } from 'vite';
import { preloadConfig } from '../../../app/start/build.mjs';
import { type BuiltEntries, buildEntries } from '../../main/support/built.ts';

const HERE = 'test/electron/standin';

export interface BuiltStandIn extends BuiltEntries {
  /** The script of the pages' isolated world. */
  readonly world: string;
}

export async function buildStandIn(): Promise<BuiltStandIn> {
  const entries = ['electron', 'boot', 'utility-boot'].map((name) => [name, `${HERE}/${name}.ts`]);
  const built = await buildEntries(Object.fromEntries(entries));
  const world = preloadConfig({ 'page-world': `${HERE}/page-world.ts` }, built.folder);
  await build({ ...world, logLevel: 'error' });
  return { ...built, world: join(built.folder, 'page-world.cjs') };
}
