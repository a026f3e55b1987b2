#!/usr/bin/env node
import { ensureAdded } from './install.mjs';
import { fail, say } from './root.mjs';

/**
 * `npm run setup:webgpu`: WebGPU for the trainer of the command line and of the lab in the browser, by Dawn's binding
 * for Node, some 130 MB. The desktop has Chromium's.
 */
async function main() {
  const isNew = await ensureAdded('webgpu');
  say(
    isNew
      ? 'WebGPU for Node is there: the trainer uses it from its next start.'
      : 'WebGPU for Node is there already.',
  );
}

main().catch(fail);
