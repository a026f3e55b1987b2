import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTorch2Python } from '../../app/start/python.mjs';

/**
 * Peak of training loops as people write them, in parts of plain training's, under a budget of 40 %: fitted in one
 * situation, trained in another (test/reference/torch_loops.py), and by layer under FSDP2 (torch_shards.py). A new kind of
 * forward is captured in the first steps, so rows count from the third. Peaks do not depend on the load of the machine.
 *
 * Writes test/bench/results/pytorch-VERSION-cpu-loops.md. Exits 1 where gradients differ or a row is more than 5 points
 * above the budget.
 */
const ROOT = process.cwd();
const BUDGET = 40;
const MARGIN = 5;
const LIMIT_MS = 1_200_000;
const MB = 1e6;

interface Row {
  readonly shares: readonly number[];
  readonly plain: readonly number[];
  readonly same: boolean;
  readonly left: string | null;
}

function printed(command: string, args: readonly string[]): string {
  const env = { ...process.env, OMP_WAIT_POLICY: 'PASSIVE', ZIGZAG_BUDGET: `${BUDGET}%` };
  const run = spawnSync(command, args, { encoding: 'utf8', env, timeout: LIMIT_MS, maxBuffer: 1 << 26 });
  if (run.status !== 0) throw new Error(`${args.join(' ')}: ${run.stderr || run.error}`);
  return run.stdout.trim().split('\n').at(-1) ?? '';
}

function rowsOf(python: string, site: string): Readonly<Record<string, Row>> {
  const script = (name: string): string => join(ROOT, 'test', 'reference', name);
  const sharded = JSON.parse(printed(python, [script('torch_shards.py'), site, '1'])) as Record<
    string,
    Row[]
  >;
  const byLayer = Object.entries(sharded).flatMap(([name, [row]]) =>
    row?.shares === undefined ? [] : [[`FSDP2: ${name}`, row] as const],
  );
  return {
    ...(JSON.parse(printed(python, [script('torch_loops.py'), site])) as Record<string, Row>),
    ...Object.fromEntries(byLayer),
  };
}

function lineOf([name, { shares, plain, same, left }]: readonly [string, Row]): string {
  const settled = shares.slice(2).map((share) => 100 * share);
  const [least, most] = [Math.min(...settled), Math.max(...settled)];
  const reached = `${least.toFixed(1)}${least === most ? '' : `-${most.toFixed(1)}`} %`;
  const isWithin = most <= BUDGET + MARGIN && same && left === null;
  if (!isWithin) process.exitCode = 1;
  const size = `${(Math.max(...plain) / MB).toFixed(1)} MB`;
  return `| ${name} | ${size} | ${BUDGET} % | ${reached} | ${same ? 'yes' : 'NO'} | ${isWithin ? 'yes' : 'NO'} |`;
}

function main(): void {
  const python = findTorch2Python();
  if (python === undefined) throw new Error('there is no PyTorch 2.x: name a Python in ZIGZAG_TORCH2_PYTHON');
  const site = mkdtempSync(join(tmpdir(), 'zigzag-bench-'));
  try {
    printed(process.execPath, [join(ROOT, 'app', 'start', 'wheel.mjs'), site]);
    const wheel = readdirSync(site).find((name) => name.endsWith('.whl')) ?? '';
    printed(python, ['-m', 'zipfile', '-e', join(site, wheel), site]);
    const torch = printed(python, ['-c', 'import torch; print(torch.__version__)']);
    const lines = [
      `# Training loops under a budget, PyTorch ${torch}, CPU (${cpus()[0]?.model.trim() ?? 'unknown'}), one thread`,
      '',
      `Written by \`npm run bench pytorch-loops\`. Peaks of the third step and later, in parts of plain training's; within: at most ${MARGIN} points above the budget, on the plan, bit-identical.`,
      '',
      '| situation | plain peak | budget | peak reached | bit-identical | within |',
      '| --- | --- | --- | --- | --- | --- |',
      ...Object.entries(rowsOf(python, site)).map(lineOf),
    ];
    const version = torch.split('.').slice(0, 2).join('.');
    const path = join(ROOT, 'test', 'bench', 'results', `pytorch-${version}-cpu-loops.md`);
    writeFileSync(path, `${lines.join('\n')}\n`);
    console.log(lines.join('\n'));
  } finally {
    rmSync(site, { recursive: true, force: true });
  }
}

main();
