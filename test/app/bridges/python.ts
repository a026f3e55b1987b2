import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Debian's own interpreter: python3-torch installs for it, whatever else the path offers. */
const PYTHON = process.env['ZIGZAG_PYTHON'] ?? '/usr/bin/python3';

const probe = spawnSync(PYTHON, [
  '-c',
  'import importlib.util as u; exit(not (u.find_spec("torch") and u.find_spec("torchvision")))',
]);

/** Empty where torch is installed; else what a skipped test says. */
export const NO_TORCH = probe.status === 0 ? '' : ' (skipped: python3-torchvision is not installed)';

/** Runs a script of test/reference and returns its standard output. */
export function runReference(script: string, args: readonly string[], timeout = 600_000): string {
  const path = fileURLToPath(new URL(`../../reference/${script}`, import.meta.url));
  const run = spawnSync(PYTHON, [path, ...args], { encoding: 'utf8', timeout, maxBuffer: 64 * 1024 * 1024 });
  if (run.status !== 0) throw new Error(`${script} ${args.join(' ')}: ${run.stderr || run.error}`);
  return run.stdout;
}
