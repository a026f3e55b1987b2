#!/usr/bin/env node
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, NAMED_PARTS, PART_NAMES } from './built.mjs';
import { ensureChromium, NO_CHROMIUM } from './chromium.mjs';
import { ensureInstalled } from './install.mjs';
import { fail, ROOT, say } from './root.mjs';
import { runNode } from './run.mjs';

/** @typedef {import('../../test/support/summary-reporter.ts').Counts} Counts */

const E2E = join(ROOT, 'test', 'e2e');
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const PLAYWRIGHT = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js');

/**
 * What runs through the desktop program each time: opening, comparing, training, the history, files, the report, each
 * in one theme, and the program's own tests. All of the end-to-end tests take as long as in the browser:
 * `npm run test:desktop`.
 */
const DESKTOP = [
  ...['desktop/', 'compare', 'train', 'history', 'import', 'report', 'zigzag'].map(
    (name) => `test/e2e/${name}`,
  ),
  '--grep-invert=in the dark theme',
];

/** @type {Counts} */
const NOTHING = { passed: 0, failed: 0, skipped: 0, reasons: {} };

/**
 * @param {string} file
 * @returns {any}
 */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * A runner that crashed, left no counts, or failed without a failed test counts as one failure.
 *
 * @param {string} name
 * @param {number} code
 * @param {Counts | undefined} counts
 * @returns {Counts}
 */
function settle(name, code, counts) {
  if (counts && (code === 0 || counts.failed > 0)) return counts;
  say(`${name} ended with exit code ${code}${counts ? ' and no failed test' : ' and left no result'}.`);
  return { ...(counts ?? NOTHING), failed: (counts?.failed ?? 0) + 1 };
}

/** @returns {Promise<Counts>} */
async function runBuild() {
  try {
    await ensureBuilt([...PART_NAMES, ...NAMED_PARTS]);
    return NOTHING;
  } catch (error) {
    fail(error);
    return { ...NOTHING, failed: 1 };
  }
}

/**
 * @param {string} scratch
 * @param {readonly string[]} args
 */
async function runUnit(scratch, args) {
  const file = join(scratch, 'unit.json');
  const { code } = await runNode([VITEST, 'run', ...args], { env: { ZIGZAG_COUNTS: file } });
  return settle('Vitest', code, readJson(file));
}

/**
 * @param {any} report Playwright's JSON report
 * @returns {Counts | undefined}
 */
function playwrightCounts(report) {
  if (!report?.stats) return undefined;
  const { expected, flaky, unexpected, skipped } = report.stats;
  return { passed: expected + flaky, failed: unexpected, skipped, reasons: {} };
}

/** @param {any} suite @returns {number} */
function countListed(suite) {
  const specs = (suite.specs ?? []).length;
  return (suite.suites ?? []).reduce(
    (/** @type {number} */ sum, /** @type {any} */ child) => sum + countListed(child),
    specs,
  );
}

/**
 * @param {'e2e' | 'desktop'} project
 * @param {string} scratch
 * @param {string | undefined} chromium
 * @param {readonly string[]} [only] names of files, and options of Playwright's; all tests, where there are none
 * @returns {Promise<Counts>}
 */
async function runEndToEnd(project, scratch, chromium, only = []) {
  const file = join(scratch, `${project}.json`);
  const args = [
    PLAYWRIGHT,
    'test',
    '--config',
    join(E2E, 'playwright.config.ts'),
    `--project=${project}`,
    ...only,
  ];
  if (!chromium) {
    const { code } = await runNode([...args, '--list'], {
      output: 'ignore',
      env: { ZIGZAG_E2E_REPORT: file },
    });
    const report = readJson(file);
    const skipped = report ? countListed(report) : 0;
    return settle('Playwright', code, report && { ...NOTHING, skipped, reasons: { [NO_CHROMIUM]: skipped } });
  }
  const { code } = await runNode(args, { env: { ZIGZAG_E2E_REPORT: file, ZIGZAG_CHROMIUM: chromium } });
  return settle('Playwright', code, playwrightCounts(readJson(file)));
}

/**
 * What was skipped and what to do about it, and as the very last line the counts.
 *
 * @param {readonly Counts[]} runs
 */
function printSummary(runs) {
  /** @type {Map<string, number>} */
  const reasons = new Map();
  for (const [reason, count] of runs.flatMap((counts) => Object.entries(counts.reasons))) {
    reasons.set(reason, (reasons.get(reason) ?? 0) + count);
  }
  const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ key) =>
    runs.reduce((total, counts) => total + counts[key], 0);
  if (sum('failed') > 0) process.exitCode = 1;
  console.log();
  for (const [reason, count] of reasons) console.log(`${count} skipped: ${reason}`);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
}

/**
 * @param {readonly string[]} args `--desktop` and names of files: the end-to-end tests through the desktop program and
 * nothing else; any other is given to Vitest, and the end-to-end tests stay out
 */
async function main(args) {
  await ensureInstalled();
  // Before all tests: the unit tests use its software GPU.
  const chromium = await ensureChromium();
  const scratch = mkdtempSync(join(tmpdir(), 'zigzag-test-'));
  try {
    const runs = [await runBuild()];
    if (args[0] === '--desktop') runs.push(await runEndToEnd('desktop', scratch, chromium, args.slice(1)));
    else runs.push(await runUnit(scratch, args));
    if (args.length === 0) {
      runs.push(await runEndToEnd('e2e', scratch, chromium));
      runs.push(await runEndToEnd('desktop', scratch, chromium, DESKTOP));
    }
    printSummary(runs);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

main(process.argv.slice(2)).catch((error) => {
  fail(error);
  console.log('0 passed, 1 failed, 0 skipped');
});
