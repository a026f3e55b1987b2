#!/usr/bin/env node
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CLI_PARTS, DIST, ensureBuilt, SERVE_PARTS } from './built.mjs';
import { ensureInstalled } from './install.mjs';
import { fail } from './root.mjs';

const CLI = join(DIST, 'node', 'cli.js');

const EXIT_INTERNAL_FAULT = 70;

async function prepare() {
  await ensureInstalled();
  await ensureBuilt(process.argv[2] === 'serve' ? SERVE_PARTS : CLI_PARTS);
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
