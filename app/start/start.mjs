#!/usr/bin/env node
import { join } from 'node:path';
import { DIST, ensureBuilt, SERVE_PARTS } from './built.mjs';
import { openDesktop } from './desktop.mjs';
import { electronObstacle } from './electron.mjs';
import { ensureElectron, Interrupted } from './electron-download.mjs';
import { ensureInstalled } from './install.mjs';
import { fail, say } from './root.mjs';
import { runNode } from './run.mjs';

const INTERRUPTED = 130;

/**
 * @param {readonly string[]} args
 * @returns {Promise<string | undefined>} why there is no desktop shell; nothing when it ran
 */
async function tryDesktop(args) {
  const obstacle = electronObstacle();
  if (obstacle) return obstacle;
  const electron = await ensureElectron();
  return 'reason' in electron ? electron.reason : openDesktop(electron.binary, args);
}

/** @param {readonly string[]} args */
async function openBrowser(args) {
  const { code } = await runNode([join(DIST, 'node', 'cli.js'), 'serve', '--open', ...args], { stdin: true });
  process.exitCode = code;
}

/** @param {readonly string[]} given */
async function main(given) {
  const args = given.filter((arg) => arg !== '--browser');
  await ensureInstalled('lab');
  if (args.length < given.length) {
    await ensureBuilt(SERVE_PARTS);
    return openBrowser(args);
  }
  await ensureBuilt();
  const reason = await tryDesktop(args);
  if (reason === undefined) return;
  say(`the desktop shell is not available (${reason}), so the same lab opens in the browser.`);
  // The desktop's arguments do not go to the server, which has other options.
  if (args.length > 0)
    say(`for the browser, give its options after --browser; without effect: ${args.join(' ')}`);
  await openBrowser([]);
}

main(process.argv.slice(2)).catch((error) => {
  if (!(error instanceof Interrupted)) return fail(error);
  process.exitCode = INTERRUPTED;
});
