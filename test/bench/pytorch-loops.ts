import { join } from 'node:path';
import { type Ask, keepTable, ON_CPU, withPackage } from './pytorch/site.ts';

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
const MB = 1e6;

interface Row {
  readonly shares: readonly number[];
  readonly plain: readonly number[];
  readonly same: boolean;
  readonly left: string | null;
  readonly refused?: string;
  /** Set if the model's own checkpointing is the budget. */
  readonly recompute?: readonly number[];
}

function rowsOf(ask: Ask, site: string): Readonly<Record<string, Row>> {
  const env = { ZIGZAG_BUDGET: `${BUDGET}%` };
  const told = (name: string, ...args: readonly string[]): string =>
    ask([join(ROOT, 'test', 'reference', name), site, ...args], env)
      .trim()
      .split('\n')
      .at(-1) ?? '';
  const sharded = JSON.parse(told('torch_shards.py', '1')) as Record<string, Row[]>;
  const byLayer = Object.entries(sharded).flatMap(([name, [row]]) =>
    row?.shares === undefined ? [] : [[`FSDP2: ${name}`, row] as const],
  );
  return {
    ...(JSON.parse(told('torch_loops.py')) as Record<string, Row>),
    ...Object.fromEntries(byLayer),
  };
}

function lineOf([name, { shares, plain, same, left, refused }]: readonly [string, Row]): string {
  if (refused !== undefined) return `| ${name} | | ${BUDGET} % | refused: ${refused} | | |`;
  const settled = shares.slice(2).map((share) => 100 * share);
  const [least, most] = [Math.min(...settled), Math.max(...settled)];
  const reached = `${least.toFixed(1)}${least === most ? '' : `-${most.toFixed(1)}`} %`;
  const isWithin = most <= BUDGET + MARGIN && same && left === null;
  if (!isWithin) process.exitCode = 1;
  const size = `${(Math.max(...plain) / MB).toFixed(1)} MB`;
  return `| ${name} | ${size} | ${BUDGET} % | ${reached} | ${same ? 'yes' : 'NO'} | ${isWithin ? 'yes' : 'NO'} |`;
}

withPackage((ask, site, torch) => {
  const text = [
    `# Training loops under a budget, PyTorch ${torch}, ${ON_CPU}`,
    '',
    `Written by \`npm run bench pytorch-loops\`. Peaks of the third step and later, in parts of plain training's; within: at most ${MARGIN} points above the budget, on the plan, bit-identical.`,
    '',
    '| situation | plain peak | budget | peak reached | bit-identical | within |',
    '| --- | --- | --- | --- | --- | --- |',
    ...Object.entries(rowsOf(ask, site))
      .filter(([, { recompute }]) => recompute === undefined)
      .map(lineOf),
  ].join('\n');
  keepTable(torch, 'cpu-loops', text);
  console.log(text);
});
