#!/usr/bin/env node
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, NAMED_PARTS, PART_NAMES } from './built.mjs';
import { ensureChromium, NO_CHROMIUM, runPlaywright } from './chromium.mjs';
import { ensureInstalled } from './install.mjs';
import { fail, ROOT, say } from './root.mjs';
import { runNode } from './run.mjs';
import { TIERS, tierLines } from './test-tiers.mjs';

/**
 * @typedef {import('../../test/support/summary-reporter.ts').Counts} Counts
 * @typedef {import('./test-tiers.mjs').Tier} Tier
 */

const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');

/**
 * End-to-end tests that run through the desktop program too, in one theme, besides the program's own, which open and
 * compare: training, the history, files, the report. All of them take as long as in the browser: `npm run test:desktop`.
 */
const ON_DESKTOP = ['train', 'history', 'import', 'report'];

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

/** @param {Tier} tier @returns {Promise<Counts>} */
async function runBuild(tier) {
  try {
    if (tier !== 'fast') await ensureBuilt([...PART_NAMES, ...(tier === 'all' ? NAMED_PARTS : [])]);
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
  const env = { ZIGZAG_COUNTS: file };
  const { code } = await runNode([VITEST, 'run', ...args], { env });
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
 * @param {readonly string[]} [only] names of files, and options of Playwright's; all tests by default
 * @returns {Promise<Counts>}
 */
async function runEndToEnd(project, scratch, chromium, only = []) {
  const file = join(scratch, `${project}.json`);
  if (!chromium) {
    const { code } = await runPlaywright([...only, '--list'], project, {
      output: 'ignore',
      env: { ZIGZAG_E2E_REPORT: file },
    });
    const report = readJson(file);
    const skipped = report ? countListed(report) : 0;
    return settle('Playwright', code, report && { ...NOTHING, skipped, reasons: { [NO_CHROMIUM]: skipped } });
  }
  const env = { ZIGZAG_E2E_REPORT: file, ZIGZAG_CHROMIUM: chromium };
  const { code } = await runPlaywright(only, project, { env });
  return settle('Playwright', code, playwrightCounts(readJson(file)));
}

/**
 * The tier and what others would add, what was skipped and what to do about it, and as the very last line the counts.
 *
 * @param {readonly Counts[]} runs
 * @param {readonly string[]} lines
 */
function printSummary(runs, lines) {
  /** @type {Map<string, number>} */
  const reasons = new Map();
  for (const [reason, count] of runs.flatMap((counts) => Object.entries(counts.reasons))) {
    reasons.set(reason, (reasons.get(reason) ?? 0) + count);
  }
  const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ key) =>
    runs.reduce((total, counts) => total + counts[key], 0);
  if (sum('failed') > 0) process.exitCode = 1;
  console.log();
  for (const line of lines) console.log(line);
  for (const [reason, count] of reasons) console.log(`${count} skipped: ${reason}`);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
}

/**
 * @param {readonly string[]} words `--fast` or `--all` for a tier; `--desktop` and names of files: the end-to-end tests
 * through the desktop program and nothing else; any other is given to Vitest, and runs whole where no tier is named
 */
async function main(words) {
  const named = TIERS.find((tier) => words.includes(`--${tier}`));
  const args = words.filter((word) => word !== `--${named}`);
  const tier = named ?? (args.length === 0 ? 'usual' : 'all');
  // Every part runs the same tier.
  process.env['ZIGZAG_TIER'] = tier;
  await ensureInstalled();
  // Before all tests: the unit tests use its software GPU.
  const chromium = tier === 'fast' ? undefined : await ensureChromium();
  const scratch = mkdtempSync(join(tmpdir(), 'zigzag-test-'));
  try {
    const runs = [await runBuild(tier)];
    if (args[0] === '--desktop') runs.push(await runEndToEnd('desktop', scratch, chromium, args.slice(1)));
    else runs.push(await runUnit(scratch, args));
    if (args.length === 0 && tier !== 'fast') {
      runs.push(await runEndToEnd('e2e', scratch, chromium));
      const files = ['desktop/', ...(tier === 'all' ? ON_DESKTOP : [])].map((name) => `test/e2e/${name}`);
      runs.push(await runEndToEnd('desktop', scratch, chromium, files));
    }
    printSummary(runs, args.length === 0 ? tierLines(tier) : []);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

main(process.argv.slice(2)).catch((error) => {
  fail(error);
  console.log('0 passed, 1 failed, 0 skipped');
});
