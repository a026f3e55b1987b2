#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './built.mjs';
import { ensureInstalled } from './install.mjs';
import { CLI_PARTS, SERVE_PARTS } from './parts.mjs';
import { fail, ROOT } from './root.mjs';

const CLI = join(ROOT, 'dist', 'node', 'cli.js');

const EXIT_INTERNAL_FAULT = 70;

async function prepare() {
  await ensureInstalled();
  await ensureBuilt(process.argv[2] === 'serve' ? SERVE_PARTS : CLI_PARTS);
  if (!existsSync(CLI)) throw new Error('this checkout has no command line: app/cli/main.ts is missing.');
  return true;
}

if (await prepare().catch(fail)) {
  // The command runs in this process, under its own name: a second Node would cost as much as all of the above.
  process.argv[1] = CLI;
  await import(pathToFileURL(CLI).href).catch((error) => {
    console.error(error);
    process.exitCode = EXIT_INTERNAL_FAULT;
  });
}
