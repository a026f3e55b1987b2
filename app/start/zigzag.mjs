#!/usr/bin/env node
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CLI_PARTS, DIST, ensureBuilt, PART_NAMES, SERVE_PARTS } from './built.mjs';
import { ensureInstalled } from './install.mjs';
import { fail } from './root.mjs';

const CLI = join(DIST, 'node', 'cli.js');

const EXIT_INTERNAL_FAULT = 70;

/** @param {string | undefined} command */
function partsOf(command) {
  if (command === 'serve') return SERVE_PARTS;
  return command === 'licenses' ? PART_NAMES : CLI_PARTS;
}

async function prepare() {
  await ensureInstalled('lab');
  await ensureBuilt(partsOf(process.argv[2]));
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
