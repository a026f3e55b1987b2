#!/usr/bin/env node
import { join } from 'node:path';
import { ensureBuilt, SERVE_PARTS } from './built.mjs';
import { ensureChromium } from './chromium.mjs';
import { ensureInstalled } from './install.mjs';
import { fail, ROOT } from './root.mjs';
import { runNode } from './run.mjs';

/** Takes the pictures of all screens, into screenshots/: every `*.shots.ts` of the end-to-end tests. */
async function main() {
  await ensureInstalled();
  await ensureBuilt(SERVE_PARTS);
  const chromium = await ensureChromium();
  if (!chromium) throw new Error('no Chromium was found: install one, or name it in ZIGZAG_CHROMIUM.');
  const playwright = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js');
  const config = join(ROOT, 'test', 'e2e', 'playwright.config.ts');
  // Playwright takes every word after --project for the name of one.
  const args = ['test', ...process.argv.slice(2), '--config', config, '--project', 'screenshots'];
  const { code } = await runNode([playwright, ...args], { env: { ZIGZAG_CHROMIUM: chromium } });
  process.exitCode = code;
}

main().catch(fail);
