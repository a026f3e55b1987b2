#!/usr/bin/env node
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLACES } from './places.mjs';
import { ensureInstalled } from '../../app/start/install.mjs';
import { fail, ROOT, say } from '../../app/start/root.mjs';
import { run, runNode } from '../../app/start/run.mjs';

const FOLDER = join(ROOT, 'test', 'mutants');
const OUT = join(ROOT, 'dist', 'mutants');
const PACKAGES = join(FOLDER, 'node_modules', '@stryker-mutator');
const LEAST_SCORE = 80;

/**
 * `npm run mutants -- [PLACE ...] [FILE ...]`: changes the code of a place (test/mutants/places.mjs) in every way that
 * Stryker knows, one at a time, runs the place's tests, and prints what no test noticed. The mutation tester is
 * installed on request, apart from the lab. Exits 1 where fewer than 80 % are noticed.
 */
async function main() {
  await ensureInstalled();
  if (!existsSync(PACKAGES)) {
    say('installing the mutation tester');
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const install = [
      'ci',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--legacy-peer-deps',
      '--prefix',
      FOLDER,
    ];
    const { code } = await run(npm, install, { shell: process.platform === 'win32' });
    if (code !== 0)
      throw new Error('the mutation tester could not be installed; is the npm registry reachable?');
  }
  const wanted = process.argv.slice(2);
  const files = wanted.filter((word) => word.includes('/'));
  const places = Object.entries(PLACES)
    .map(([name, place]) => ({ name, ...place, own: files.filter((file) => file.startsWith(place.folder)) }))
    .filter(({ name, own }) => wanted.length === 0 || wanted.includes(name) || own.length > 0);
  if (places.length === 0)
    throw new Error(`there is no such place; choose ${Object.keys(PLACES).join(', ')}.`);
  for (const place of places) await mutate(place);
}

/** @param {{ name: string, folder: string, tests: readonly string[], own: readonly string[] }} place */
async function mutate({ name, folder, tests, own }) {
  const report = join(OUT, `${name}.json`);
  const settings = {
    testRunner: 'vitest',
    plugins: [join(PACKAGES, 'vitest-runner', 'dist', 'src', 'index.js')],
    mutate: own.length > 0 ? own : [`${folder}**/*.ts`],
    vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
    tempDirName: join('dist', 'mutants', 'sandbox'),
    ignorePatterns: ['dist', 'release', 'coverage', 'screenshots', 'test/mutants/node_modules'],
    // What runs while a module loads cannot be told apart by test.
    ignoreStatic: true,
    timeoutMS: 20_000,
    concurrency: 2,
    reporters: ['clear-text', 'json'],
    clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
    jsonReporter: { fileName: report },
  };
  mkdirSync(OUT, { recursive: true });
  const config = join(OUT, `${name}.config.json`);
  writeFileSync(config, JSON.stringify(settings, null, 1));
  say(`mutants of ${folder}`);
  const env = { ZIGZAG_MUTANTS_TESTS: tests.join(',') };
  const { code } = await runNode([join(PACKAGES, 'core', 'bin', 'stryker.js'), 'run', config], { env });
  if (code !== 0) throw new Error(`the mutation tester ended with ${code}.`);
  const score = scoreOf(report);
  say(`${name}: ${score.killed} of ${score.counted} mutants noticed, ${score.percent.toFixed(1)} %`);
  if (score.percent < LEAST_SCORE) process.exitCode = 1;
}

/**
 * What a test noticed of what could be noticed: mutants that do not compile or are static are neither.
 *
 * @param {string} report
 */
function scoreOf(report) {
  /** @type {{ files: Record<string, { mutants: { status: string }[] }> }} */
  const { files } = JSON.parse(readFileSync(report, 'utf8'));
  const states = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const killed = states.filter((status) => status === 'Killed' || status === 'Timeout').length;
  const lost = states.filter((status) => status === 'Survived' || status === 'NoCoverage').length;
  return { killed, counted: killed + lost, percent: (100 * killed) / Math.max(1, killed + lost) };
}

main().catch(fail);
