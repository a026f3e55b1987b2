import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findTorchPython } from '../../../app/start/python.mjs';

const PYTHON = findTorchPython();

/** Empty where torch is installed; else why the tests against it are skipped. */
export const NO_TORCH =
  PYTHON === undefined
    ? 'there is no PyTorch: install python3-torch and python3-torchvision, or name a Python in ZIGZAG_PYTHON'
    : '';

/** Runs a script of test/reference and returns its standard output. */
export function runReference(script: string, args: readonly string[], timeout = 880_000): string {
  const path = fileURLToPath(new URL(`../../reference/${script}`, import.meta.url));
  // Threads that wait busily take the processor from those they wait for, where there are more threads than cores.
  const env = { ...process.env, OMP_WAIT_POLICY: 'PASSIVE' };
  const options = { encoding: 'utf8', env, timeout, maxBuffer: 64 * 1024 * 1024 } as const;
  const run = spawnSync(PYTHON ?? 'python3', [path, ...args], options);
  if (run.status !== 0) throw new Error(`${script} ${args.join(' ')}: ${run.stderr || run.error}`);
  return run.stdout;
}
