#!/usr/bin/env node
import { join } from 'node:path';
import { DIST, ensureBuilt, SERVE_PARTS } from './built.mjs';
import { electronObstacle, ensureElectron } from './electron.mjs';
import { ensureInstalled } from './install.mjs';
import { fail, ROOT, say } from './root.mjs';
import { run, runNode } from './run.mjs';

const EARLY_EXIT_MS = 5000;

/**
 * Opens the desktop shell and stays until it is closed.
 *
 * @param {readonly string[]} args
 * @returns {Promise<string | undefined>} why there is no desktop shell; nothing when it ran
 */
async function openDesktop(args) {
  const obstacle = electronObstacle();
  if (obstacle) return obstacle;
  const electron = await ensureElectron();
  if ('reason' in electron) return electron.reason;
  const { code, signal, ms } = await run(electron.binary, [ROOT, ...args], { stdin: true });
  if (code !== 0 && ms < EARLY_EXIT_MS) return `Electron ended at once with ${signal ?? `exit code ${code}`}`;
  process.exitCode = code;
  return undefined;
}

/** @param {readonly string[]} args */
async function openBrowser(args) {
  const { code } = await runNode([join(DIST, 'node', 'cli.js'), 'serve', '--open', ...args], { stdin: true });
  process.exitCode = code;
}

/** @param {readonly string[]} given */
async function main(given) {
  const args = given.filter((arg) => arg !== '--browser');
  await ensureInstalled();
  if (args.length < given.length) {
    await ensureBuilt(SERVE_PARTS);
    return openBrowser(args);
  }
  await ensureBuilt();
  const reason = await openDesktop(args);
  if (reason === undefined) return;
  say(`the desktop shell is not available (${reason}), so the same lab opens in the browser.`);
  await openBrowser(args);
}

main(process.argv.slice(2)).catch(fail);
