#!/usr/bin/env node
import { ensureBuilt, SERVE_PARTS } from './built.mjs';
import { ensureChromium, runPlaywright } from './chromium.mjs';
import { ensureInstalled } from './install.mjs';
import { fail } from './root.mjs';

/** Takes the pictures of all screens, into screenshots/: every `*.shots.ts` of the end-to-end tests. */
async function main() {
  await ensureInstalled();
  await ensureBuilt(SERVE_PARTS);
  const chromium = await ensureChromium();
  if (!chromium) throw new Error('no Chromium was found: install one, or name it in ZIGZAG_CHROMIUM.');
  const env = { ZIGZAG_CHROMIUM: chromium };
  const { code } = await runPlaywright(process.argv.slice(2), 'screenshots', { env });
  process.exitCode = code;
}

main().catch(fail);
