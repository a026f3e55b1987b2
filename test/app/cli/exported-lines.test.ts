import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../../app/cli/program.ts';
import type { ExperimentInput } from '../../../app/contract/experiment.ts';
import type { Row } from '../../../app/contract/results.ts';
import { claimText } from '../../../app/report/claims.ts';
import { commandLine } from '../../../app/report/command-line.ts';
import { strategyOf } from '../../../engine/strategies/registry.ts';
import { localSolver } from '../../../main/solver/solver.ts';
import { experiment } from '../../main/support/experiment.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { recorder } from './recorder.ts';

const folder = freshFolder("it's ");
const solver = localSolver();

/** Words of a line as a shell passes them on. */
function words(line: string): string[] {
  const text = execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' });
  return text.split('\0').slice(0, -1);
}

/** Output of the command line for a line. */
async function printed(line: string): Promise<string> {
  const terminal = recorder();
  const [name, ...rest] = words(line);
  expect(name).toBe('zigzag');
  await createProgram(terminal).parseAsync(rest, { from: 'user' });
  return terminal.lines.join('\n');
}

async function rowsOfPage(input: ExperimentInput): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const event of solver.compare(experiment(input))) if (event.type === 'row') rows.push(event.row);
  return rows;
}

const withoutTime = ({ solveMs: _ms, ...row }: { solveMs: number }) => row;

describe('a command line copied from the lab', () => {
  const experiments: [string, Partial<ExperimentInput>][] = [
    ['optimal', { model: 'resnet18', batch: 64 }],
    ['random', { model: 'vgg11', batch: 4, input: 64, dtype: 'float16', seed: 7, profile: 'tfjs' }],
    ['budget', { model: 'chain-20', batch: 2, budgetBytes: 1e6 }],
    ['chain-dp', { model: 'chain-20', batch: 2, budgetBytes: 1e6, seed: 3 }],
    ['manual', { model: 'vgg11', checkpoints: ['features.5', 'features.10'] }],
    ['live', { model: 'tiny-dropout', dropout: 0.25 }],
    ['sequential', { model: 'vgg11', batch: 2, segments: 5 }],
    ['revolve', { model: 'alexnet', budgetBytes: 5e8, checkpoints: ['nowhere'] }],
  ];

  it.each(experiments)('solves %s as the lab does', async (strategy, part) => {
    const asked = experiment({ model: 'resnet18', batch: 1, ...part, strategies: [strategy] });
    const line = commandLine({ ...asked, models: [asked.model], plan: undefined }, strategyOf(strategy));
    const { rows } = JSON.parse(await printed(`${line} --json`));
    const [row] = await rowsOfPage(asked);
    if (row === undefined) throw new Error('no row');
    expect(row.reason).toBeNull();
    // The page asks for the bound on recompute together with its front, and adds up what a device holds itself.
    const { recomputeBoundFraction, needsBytes, ...own } = rows[0];
    expect(recomputeBoundFraction).toBeLessThanOrEqual(row.recomputeFraction!);
    expect(needsBytes).toBeGreaterThan(own.peakBytes);
    expect(rows).toHaveLength(1);
    expect(withoutTime(own)).toEqual(withoutTime({ ...row, claim: claimText(row) } as typeof row));
  });

  it('follows a plan and a network from files', async () => {
    const [network, plan] = [join(folder, 'a net.json'), join(folder, '$plan.json')];
    writeFileSync(network, await printed('zigzag export vgg11 --to graph'));
    writeFileSync(plan, await printed('zigzag export vgg11 --to plan --strategy live --batch 4'));
    const asked = {
      ...experiment({ model: 'file:0', strategies: ['plan'] }),
      models: [network],
      plan,
      batch: 4,
    };
    const { rows, model } = JSON.parse(await printed(`${commandLine(asked, strategyOf('plan'))} --json`));
    const [live] = await rowsOfPage({ model: 'vgg11', batch: 4, strategies: ['live'] });
    expect(model).toBe('vgg11');
    expect(rows).toMatchObject([{ strategy: 'plan', peakBytes: live?.peakBytes }]);
  });

  it('compares several networks again from a report, those of files by their paths', async () => {
    const [network, report] = [join(folder, 'chain.json'), join(folder, 'report.html')];
    writeFileSync(network, await printed('zigzag export chain-64 --to graph'));
    const rest = `--batch 2 --budget 60MB --slots 3 --segments 2 --html "${report}"`;
    await printed(`zigzag compare resnet18 "${network}" ${rest}`);
    const [, text = ''] = /<pre>(zigzag compare [^<]*)<\/pre>/.exec(readFileSync(report, 'utf8')) ?? [];
    const line = text.replaceAll('&#39;', "'").replaceAll('&quot;', '"');
    expect(words(line)).toEqual([
      'zigzag',
      'compare',
      'resnet18',
      network,
      '--batch',
      '2',
      '--budget',
      '60000000',
      '--slots',
      '3',
      '--segments',
      '2',
    ]);
  });
});
