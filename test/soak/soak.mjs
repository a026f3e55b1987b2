#!/usr/bin/env node
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, SERVE_PARTS } from '../../app/start/built.mjs';
import { ensureInstalled } from '../../app/start/install.mjs';
import { fail, ROOT, say } from '../../app/start/root.mjs';
import { runNode } from '../../app/start/run.mjs';

const OUT = join(ROOT, 'dist', 'soak');

/**
 * `npm run soak -- [--minutes N] [--seed S]`: the built lab with several clients and a browser that compare, cancel,
 * train, import and load the page again; then whether memory, descriptors, threads, processes and the database kept to
 * their bounds (test/soak/lab-bounds.ts), as a table. Exit 1 where one did not, or a call failed that should not.
 */
async function main() {
  const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
  const minutes = Number(values.minutes ?? 10);
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
  if (!(minutes > 0)) throw new Error('--minutes is a number above 0, e.g. --minutes 10.');
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new Error('--seed is a whole number from 0, e.g. --seed 7.');
  if (process.platform !== 'linux') {
    throw new Error(`memory and descriptors are read from Linux's /proc, and this is ${process.platform}.`);
  }
  await ensureInstalled();
  await ensureBuilt(SERVE_PARTS);
  const [{ build }, { nodeConfig }] = await Promise.all([
    import('vite'),
    import('../../app/start/build.mjs'),
  ]);
  await build({ ...nodeConfig({ main: join(ROOT, 'test/soak/main.ts') }, OUT), logLevel: 'warn' });
  say(`soaking for ${minutes} min from seed ${seed}`);
  const { code } = await runNode([join(OUT, 'main.js'), String(minutes), String(seed)]);
  process.exitCode = code;
}

main().catch(fail);
