import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTorch2Python } from '../../../app/start/python.mjs';
import { writeResult } from '../../support/bench-results.ts';

const ROOT = process.cwd();
const LIMIT_MS = 3_600_000;

/** For titles: the Python scripts of these benches run in one thread. */
export const ON_CPU = `CPU (${cpus()[0]?.model.trim() ?? 'unknown'}), one thread`;

/** Keeps a table as `test/bench/results/pytorch-VERSION-NAME.md`. */
export function keepTable(torch: string, name: string, text: string): void {
  const version = torch.split('.').slice(0, 2).join('.');
  writeResult(`pytorch-${version}-${name}.md`, `${text}\n`);
}

/** The standard output of a program; a failure throws what it said. */
export type Ask = (args: readonly string[], env?: Readonly<Record<string, string>>) => string;

/** Without a network and without warnings; with a site, zigzag_lab and zigzag_torch can be imported. */
export const scriptEnv = (site?: string): Readonly<Record<string, string>> => ({
  HF_HUB_OFFLINE: '1',
  PYTHONWARNINGS: 'ignore',
  ...(site === undefined ? {} : { PYTHONPATH: `${site}:${join(site, 'zigzag_lab')}` }),
});

/** The rows that a script prints, each a line of JSON. */
export const printedRows = <Row>(printed: string): readonly Row[] =>
  printed.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Row] : []));

/** @throws Error where no PyTorch 2.x is installed */
export function torch2Python(): string {
  const python = findTorch2Python();
  if (python === undefined) throw new Error('there is no PyTorch 2.x: name a Python in ZIGZAG_TORCH2_PYTHON');
  return python;
}

const VERSIONS =
  'import torch, transformers; print(f"torch {torch.__version__}, transformers {transformers.__version__}")';

export const versionsOf = (python: string): string => printed(python, ['-c', VERSIONS]).trim();

/** Calls a function with PyTorch 2.x's Python, its version, and a folder with the unpacked Python package. */
export function withPackage(use: (ask: Ask, site: string, torch: string) => void): void {
  const python = torch2Python();
  const site = mkdtempSync(join(tmpdir(), 'zigzag-bench-'));
  const ask: Ask = (args, env = {}) => printed(python, args, env);
  try {
    printed(process.execPath, [join(ROOT, 'app', 'start', 'wheel.mjs'), site]);
    const wheel = readdirSync(site).find((name) => name.endsWith('.whl')) ?? '';
    ask(['-m', 'zipfile', '-e', join(site, wheel), site]);
    use(ask, site, ask(['-c', 'import torch; print(torch.__version__)']).trim());
  } finally {
    rmSync(site, { recursive: true, force: true });
  }
}

function printed(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): string {
  const run = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, OMP_WAIT_POLICY: 'PASSIVE', ...env },
    timeout: LIMIT_MS,
    maxBuffer: 1 << 26,
  });
  if (run.status !== 0) throw new Error(`${args.join(' ')}: ${run.stderr || run.error}`);
  return run.stdout;
}
