#!/usr/bin/env node
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLACES } from './places.mjs';
import { judge, lineOf, readRows, resultsText, scoreOf } from './score.mjs';
import { ensureInstalled, npm } from '../../app/start/install.mjs';
import { fail, ROOT, say } from '../../app/start/root.mjs';
import { runNode } from '../../app/start/run.mjs';

const FOLDER = join(ROOT, 'test', 'mutants');
const OUT = join(ROOT, 'dist', 'mutants');
const PACKAGES = join(FOLDER, 'node_modules', '@stryker-mutator');
const LEAST_SCORE = 80;
/** Share of the tests' drawn graphs that is tried for each mutant. */
const DRAWS = '0.1';
/** A process keeps each bundle that it has evaluated, so after so many mutants another takes over. */
const BUNDLES = 100;

/**
 * `npm run mutants -- [--again | --last] [PLACE ...] [FILE ...]`: changes the code of a place (test/mutants/places.mjs) in every
 * way that Stryker knows, one at a time, runs the place's tests, and prints what no test noticed. `--again` tries only
 * what the last run left unnoticed and what was changed since; `--last` tries nothing and judges the last run again. The mutation tester is installed on request, apart from
 * the lab. ZIGZAG_WORKERS says how many mutants are tried at once (2), ZIGZAG_TIMEOUT after how many
 * seconds beyond its time a test does not end (20); ZIGZAG_RESULTS=test/bench/results writes the
 * figures there. Exits 1 where fewer than 80 % of a place or file are noticed, equivalent ones left out, or where
 * equivalent.json names what is noticed or gone.
 */
async function main() {
  await ensureInstalled();
  if (!existsSync(PACKAGES)) await install();
  const words = process.argv.slice(2);
  const wanted = words.filter((word) => word !== '--again' && word !== '--last');
  const files = wanted.filter((word) => word.includes('/'));
  const places = Object.entries(PLACES)
    .map(([name, place]) => ({ name, ...place, all: filesOf(place) }))
    .map((place) => ({ ...place, own: files.filter((file) => place.all.includes(file)) }))
    .filter(({ name, own }) => wanted.length === 0 || wanted.includes(name) || own.length > 0);
  const unknown = wanted.find((word) => !places.some(({ name, own }) => name === word || own.includes(word)));
  if (unknown !== undefined || places.length === 0)
    throw new Error(
      `there is no place ${unknown}; choose ${Object.keys(PLACES).join(', ')} or a file of one.`,
    );
  for (const place of places) {
    if (words.includes('--last')) tell(place.name, []);
    else await mutate(place, words.includes('--again'));
  }
}

async function install() {
  say('installing the mutation tester');
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund'];
  const { code } = await npm(['ci', ...quiet, '--legacy-peer-deps', '--prefix', FOLDER]);
  if (code !== 0)
    throw new Error('the mutation tester could not be installed; is the npm registry reachable?');
}

/** @param {string} place */
function reportOf(place) {
  return join(OUT, `${place}.json`);
}

/** @param {{ folder: string, deep?: boolean }} place */
function filesOf({ folder, deep = true }) {
  return readdirSync(join(ROOT, folder), { recursive: deep })
    .map((file) => `${folder}${String(file).replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.ts'))
    .sort();
}

/**
 * @param {{ name: string, folder: string, tests: readonly string[], all: readonly string[], own: readonly string[] }} place
 * @param {boolean} again
 */
async function mutate({ name, folder, tests, all, own }, again) {
  const report = reportOf(name);
  const wanted = own.length > 0 ? own : all;
  const settings = {
    ...runnerOf(folder),
    mutate: wanted,
    tempDirName: join('dist', 'mutants', `sandbox-${name}`),
    ignorePatterns: ['dist', 'release', 'coverage', 'screenshots', 'test/mutants/node_modules'],
    // Code that runs while a module loads cannot be told apart by test.
    ignoreStatic: true,
    incremental: again,
    incrementalFile: join(OUT, `${name}.incremental.json`),
    // A machine that does other work is no endless loop.
    timeoutMS: Number(process.env['ZIGZAG_TIMEOUT'] ?? 20) * 1000,
    // The tests once, unhurried, before the first mutant.
    dryRunTimeoutMinutes: 30,
    concurrency: Number(process.env['ZIGZAG_WORKERS'] ?? 2),
    reporters: ['progress-append-only', 'json'],
    jsonReporter: { fileName: report },
  };
  mkdirSync(OUT, { recursive: true });
  rmSync(report, { force: true });
  const config = join(OUT, `${name}.config.json`);
  writeFileSync(config, JSON.stringify(settings, null, 1));
  say(`mutants of ${own.length > 0 ? own.join(', ') : folder}`);
  const env = { ZIGZAG_MUTANTS_TESTS: tests.join(','), ZIGZAG_DRAWS: process.env['ZIGZAG_DRAWS'] ?? DRAWS };
  const stryker = join(PACKAGES, 'core', 'bin', 'stryker.js');
  const { code } = await runNode([stryker, 'run', config], { env, output: 'stderr' });
  if (code !== 0 || !existsSync(report)) throw new Error(`the mutation tester ended with ${code}.`);
  tell(name, wanted);
}

/**
 * Runner of the tests: the engine's, which need no Node and no page, in one process.
 *
 * @param {string} folder
 */
function runnerOf(folder) {
  if (folder.startsWith('engine/')) {
    const plugins = [join(FOLDER, 'in-process', 'runner.mjs')];
    return { testRunner: 'in-process', maxTestRunnerReuse: BUNDLES, plugins };
  }
  const plugins = [join(PACKAGES, 'vitest-runner', 'dist', 'src', 'index.js')];
  return {
    testRunner: 'vitest',
    plugins,
    vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
  };
}

/**
 * Prints what a report says, and keeps it where results are kept.
 *
 * @param {string} name
 * @param {readonly string[]} wanted files that belong to it besides those of the report
 */
function tell(name, wanted) {
  const report = reportOf(name);
  if (!existsSync(report)) throw new Error(`${name} has no last run.`);
  const date = statSync(report).mtime.toISOString().slice(0, 10);
  const equivalents = JSON.parse(readFileSync(join(FOLDER, 'equivalent.json'), 'utf8'));
  /** @type {import('./score.mjs').Files} */
  const found = JSON.parse(readFileSync(report, 'utf8')).files;
  // Types alone leave nothing to change.
  const files = {
    ...Object.fromEntries(wanted.map((file) => [file, { source: '', mutants: [] }])),
    ...found,
  };
  const { rows, survivors, stale } = judge(files, equivalents, date);
  for (const { file, at, line, change } of survivors)
    process.stdout.write(`${file}:${at}\n    ${line}\n    ${change}\n`);
  for (const entry of stale) process.stdout.write(`equivalent.json is out of date: ${entry}\n`);
  for (const row of rows) process.stdout.write(`${lineOf(row.file, row.date, [row])}\n`);
  process.stdout.write(`${lineOf(name, date, rows)}\n`);
  if (scoreOf(rows).score < LEAST_SCORE || stale.length > 0) process.exitCode = 1;
  const folder = process.env['ZIGZAG_RESULTS'];
  if (folder === undefined) return;
  const results = join(ROOT, folder, 'mutants.md');
  const before = existsSync(results) ? readRows(readFileSync(results, 'utf8')) : [];
  const places = new Map(Object.entries(PLACES).map(([place, where]) => [place, filesOf(where)]));
  writeFileSync(results, resultsText(places, [...before, ...rows]));
}

main().catch(fail);
