#!/usr/bin/env node
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ROOT, say } from './root.mjs';
import { run } from './run.mjs';
import { here, recordRuns } from './where-ran.mjs';

const LIMIT_MS = 5 * 60_000;

/**
 * The program that `npm run dist` left unpacked in a folder, whatever system and processor it is for.
 *
 * @param {string} release
 */
export function packedProgram(release) {
  const folders = existsSync(release) ? readdirSync(release) : [];
  const candidates = folders.flatMap((folder) => [
    join(release, folder, 'zigzag'),
    join(release, folder, 'Zigzag.exe'),
    join(release, folder, 'Zigzag.app', 'Contents', 'MacOS', 'Zigzag'),
  ]);
  const found = candidates.find(existsSync);
  if (found === undefined)
    throw new Error(`${release} holds no packed program: npm run dist -- --dir makes one.`);
  return found;
}

/**
 * `npm run dist:test`: starts the packed program, which opens, compares, trains on wasm, and ends with 0. With
 * ZIGZAG_RESULTS the run is kept among those of what-has-run-where.
 */
async function main() {
  const program = packedProgram(join(ROOT, 'release'));
  say(`starting ${program}`);
  const { code, signal, timedOut } = await run(program, ['--self-test'], {
    timeoutMs: LIMIT_MS,
    env: { ELECTRON_RUN_AS_NODE: undefined },
  });
  if (timedOut) throw new Error('the packed program did not end within five minutes.');
  if (code !== 0)
    throw new Error(`the packed program's self-test ended with ${signal ?? `exit code ${code}`}.`);
  if (process.env['ZIGZAG_RESULTS'] !== undefined)
    recordRuns([{ part: 'packed', ...here(), evidence: 'its self-test ended with 0' }]);
  say('the packed program works');
}

if (process.argv[1] === import.meta.filename) main().catch(fail);
