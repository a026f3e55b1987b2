import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportCommand } from '../../../app/cli/commands/export.ts';
import { type FitFlags, fitCommand } from '../../../app/cli/commands/fit.ts';
import { limitsCommand } from '../../../app/cli/commands/limits.ts';
import { AnsweredInfeasibleError } from '../../../app/cli/failures.ts';
import type { FitRow } from '../../../app/cli/fitting.ts';
import { runCommandLine } from '../../../app/cli/run.ts';
import type { Terminal } from '../../../app/cli/terminal.ts';
import type { Way } from '../../../app/contract/ways.ts';
import { NO_WAY } from '../../../app/report/ways.ts';
import { BadInputError } from '../../../engine/errors.ts';
import { TERMS } from '../../../engine/training-memory/held.ts';

interface Document {
  readonly fits: boolean;
  readonly batch: number;
  readonly rows: readonly FitRow[];
  readonly bargain: FitRow | null;
  readonly next: string;
  readonly wouldFit?: readonly Way[];
}

function terminalOf(): Terminal & { readonly printed: string[]; readonly errors: string[] } {
  const printed: string[] = [];
  const errors: string[] = [];
  return {
    printed,
    errors,
    out: (text) => void printed.push(text),
    err: (text) => void errors.push(text),
    progressVisible: false,
    columns: 100,
  };
}

/** An answer by searches that only their work ends, so that a busy machine finds the same plans. */
async function unhurried(model: string, flags: FitFlags): Promise<Document> {
  const terminal = terminalOf();
  await fitCommand(model, { ...flags, json: true }, terminal);
  return JSON.parse(terminal.printed.join('')) as Document;
}

const answered = (model: string, flags: FitFlags): Promise<Document> =>
  unhurried(model, { timeLimit: '0.2', ...flags });

const SMALL = { memory: '120MB', context: '10MB', batch: '64' };

describe('zigzag fit', () => {
  it('has a verdict for every strategy, whose terms add up', async () => {
    const { fits, rows, bargain, next } = await answered('tiny-residual', { ...SMALL, memory: '11GiB' });
    expect(fits).toBe(true);
    for (const row of [...rows, bargain!]) {
      expect(row.sentBytes, 'without a link').toBeUndefined();
      if (!row.applicable) {
        expect(row).toMatchObject({ fits: false, totalBytes: null, terms: null, largestBatch: 0 });
        expect(row.reason).not.toBeNull();
        continue;
      }
      expect(TERMS.reduce((sum, term) => sum + row.terms![term], 0)).toBe(row.totalBytes);
      expect(row.terms!.context).toBe(10e6);
      expect(row.fits).toBe(row.totalBytes! <= 11 * 2 ** 30);
      expect(row.largestBatch).toBeGreaterThanOrEqual(64);
    }
    expect(next).toMatch(/^Next: train as before/);
  });

  it('takes the plan of budget where another is equal, as the ways to fit do', async () => {
    const { rows, next, wouldFit } = await unhurried('tiny-dropout', { ...SMALL, memory: '42MB' });
    const budget = rows.find(({ strategy }) => strategy === 'budget')!;
    const equal = rows.filter(
      ({ overhead, totalBytes }) => overhead === budget.overhead && totalBytes === budget.totalBytes,
    );
    expect(equal.length).toBeGreaterThan(1);
    expect(next).toMatch(/^Next: train under budget:/);
    expect(wouldFit).toContainEqual(expect.objectContaining({ totalBytes: budget.totalBytes }));
  });

  it('counts a link: sent bytes, waiting time, and the command with the link', async () => {
    const tight = { ...SMALL, memory: '45MB' };
    // So fast that sending costs less than recomputing.
    const { rows, next } = await answered('tiny-unet', { ...tight, link: '500', device: 'a100-40' });
    const row = (name: string): FitRow => rows.find(({ strategy }) => strategy === name)!;
    expect(row('offload')).toMatchObject({ fits: true, budgetBytes: expect.any(Number) });
    expect(row('offload').sentBytes).toBeGreaterThan(0);
    expect(row('regular')).toMatchObject({ fits: false, overhead: 0 });
    expect(next).toMatch(
      /--budget \d+ --time-limit 0.2 --device a100-40 --link 500 --strategy offload --to plan$/,
    );
    const slower = await answered('tiny-unet', { ...tight, link: '1.2' });
    const [slow, fast] = [slower.rows, rows].map((all) => all.find((r) => r.strategy === 'save-on-cpu')!);
    expect(slow!.sentBytes).toBe(fast!.sentBytes);
    expect(slow!.overhead).toBeGreaterThan(fast!.overhead! + 1);
    const terminal = terminalOf();
    await fitCommand('tiny-residual', { timeLimit: '0.2', ...SMALL, link: '12', overlap: false }, terminal);
    expect(terminal.printed.join('\n')).toMatch(/^link: 12 GB\/s each way, computing waits for copies; /m);
    expect(terminal.printed.join('\n')).toMatch(/save-on-cpu .* sends /);
  });

  it('agrees with limits for every strategy', async () => {
    const terminal = terminalOf();
    const flags = { memory: '60MB', context: '10MB', optimizer: 'adam', precision: 'amp-bf16' };
    await limitsCommand('tiny-residual', { ...flags, json: true }, terminal);
    const limits = JSON.parse(terminal.printed.join('')) as { rows: { strategy: string; batch: number }[] };
    const { rows } = await unhurried('tiny-residual', flags);
    for (const { strategy, largestBatch, budgetBytes } of rows) {
      // A clock ends the search of milp.
      if (budgetBytes !== undefined || strategy === 'milp') continue;
      expect(largestBatch, strategy).toBe(limits.rows.find((row) => row.strategy === strategy)?.batch);
    }
  });

  it('takes the least recompute that fits the device', async () => {
    const plenty = await unhurried('tiny-residual', { ...SMALL, memory: '11GiB' });
    const regular = plenty.rows.find(({ strategy }) => strategy === 'regular')!;
    const memory = String(Math.floor(regular.totalBytes! * 0.9));
    const { rows, next } = await unhurried('tiny-residual', { ...SMALL, memory });
    const budget = rows.find(({ budgetBytes }) => budgetBytes !== undefined)!;
    expect(rows.find(({ strategy }) => strategy === 'regular')?.fits).toBe(false);
    expect(budget.fits).toBe(true);
    for (const row of rows)
      if (row.fits) expect(row.overhead!).toBeGreaterThanOrEqual(budget.overhead! - 1e-12);
    expect(next).toMatch(/zigzag export tiny-residual --batch 64 .*--to plan$/);
  });

  it('leads to a plan for PyTorch where torchvision or timm has the network', async () => {
    const alexnet = { batch: '64', input: '64' };
    const { rows } = await answered('alexnet', { ...alexnet, memory: '11GiB' });
    const regular = rows.find(({ strategy }) => strategy === 'regular')!;
    const memory = String(Math.floor(regular.totalBytes! - 1e5));
    const { next } = await answered('alexnet', { ...alexnet, memory });
    const [, budget, strategy] = next!.match(
      /export alexnet --batch 64 --input 64(?: --budget (\d+))?(?: --time-limit 1)? --strategy (\S+) --to torch-plan$/,
    )!;
    const terminal = terminalOf();
    const flags = { ...alexnet, to: 'torch-plan', ...(budget === undefined ? {} : { budget }) };
    await exportCommand('alexnet', { ...flags, strategy: strategy! }, terminal);
    expect(JSON.parse(terminal.printed.join(''))).toMatchObject({ format: 'zigzag-plan', strategy });
  });

  it('leads to torchtitan where several GPUs compute each sample, with a plan or without', async () => {
    const split = { batch: '2', input: '4096', tensor: '2', precision: 'bf16', optimizer: 'adamw' };
    const { rows, next } = await answered('llama-3.2-1b', { ...split, memory: '80GiB' });
    const line = (strategy: string): string =>
      `zigzag export llama-3.2-1b --batch 2 --input 4096 --precision bf16 --optimizer adamw --tensor 2 --strategy ${strategy} --to torchtitan`;
    expect(next).toContain(`its program: ${line('regular')}`);
    const memory = String(Math.floor(0.8 * rows.find(({ strategy }) => strategy === 'regular')!.totalBytes!));
    const planned = await answered('llama-3.2-1b', { ...split, memory });
    expect(planned.next).toContain(`. In torchtitan, which has per-block alone: ${line('per-block')}`);
    const terminal = terminalOf();
    await exportCommand('llama-3.2-1b', { ...split, strategy: 'per-block', to: 'torchtitan' }, terminal);
    expect(terminal.printed.join('')).toContain('activation_checkpoint=FullAC.Config()');
    const { next: other } = await answered('mistral-7b', { ...split, input: '128', memory: '80GiB' });
    expect(other).toContain('--to script');
    expect(other).not.toContain('torchtitan');
  });

  it('ends with 3 if nothing fits, with ways that do: their bytes are those of the changed setup', async () => {
    const flags = { memory: '40MB', context: '10MB', batch: '4096', optimizer: 'adam' };
    const failure = await answered('tiny-residual', flags).catch((e) => e);
    expect(failure).toBeInstanceOf(AnsweredInfeasibleError);
    const { wouldFit } = (failure as AnsweredInfeasibleError).document as { wouldFit: readonly Way[] };
    expect(wouldFit.length).toBeGreaterThan(0);
    for (const { change, strategy, totalBytes } of wouldFit) {
      expect(totalBytes).toBeLessThanOrEqual(40e6);
      const changes = Object.entries(change).map(([name, value]) => [name, String(value)]);
      const again = await answered('tiny-residual', { ...flags, ...Object.fromEntries(changes) });
      const row = again.rows.find((other) => other.strategy === strategy);
      expect(row).toMatchObject({ fits: true, totalBytes });
    }
    const terminal = terminalOf();
    const line = ['fit', 'tiny-residual', '--memory', '40MB', '--context', '10MB', '--batch', '4096'];
    expect(await runCommandLine([...line, '--time-limit', '0.2', '--json'], terminal)).toBe(3);
    expect(JSON.parse(terminal.printed.join(''))).toMatchObject({
      fits: false,
      error: { kind: 'infeasible' },
    });
    expect(terminal.errors.join('')).toMatch(
      /does not fit .*\. No strategy in this comparison makes it fit. The smallest, \S+, needs .*\.$/,
    );
    const plain = terminalOf();
    expect(await runCommandLine([...line, '--time-limit', '0.2'], plain)).toBe(3);
    expect(plain.printed.join('')).toMatch(/^Ways to fit:\n {2}1\. Use batch \d+ .*\(--batch \d+/);
  });

  it('tells parts of a batch whose samples are compared from the same result', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'zigzag-fit-')), 'config.json');
    const layers = { hidden_size: 64, intermediate_size: 128, num_hidden_layers: 2, num_attention_heads: 4 };
    const towers = { text_config: layers, vision_config: { ...layers, image_size: 64 } };
    writeFileSync(file, JSON.stringify({ model_type: 'clip', ...towers }));
    const { wouldFit } = await answered(file, { batch: '512', memory: '400MB', context: '10MB' });
    const parts = wouldFit?.filter(({ change }) => change.accumulate !== undefined) ?? [];
    expect(parts.map(({ changesResult }) => changesResult)).toEqual([true]);
  });

  it('says what to do where no way fits', async () => {
    const flags = { memory: '10100KB', context: '10MB', batch: '64' };
    const failure = await answered('tiny-residual', flags).catch((e) => e);
    expect((failure as AnsweredInfeasibleError).document).toMatchObject({ wouldFit: [] });
    expect((failure as AnsweredInfeasibleError).advice).toBe(NO_WAY);
  });

  it('lists the ways to fit where a plan is one of them, with the flags to give', async () => {
    const { rows, wouldFit } = await answered('tiny-residual', { ...SMALL, batch: '64', memory: '40MB' });
    expect(rows.find(({ strategy }) => strategy === 'regular')?.fits).toBe(false);
    expect(wouldFit?.[0]).toMatchObject({ change: {}, changesResult: false });
    const terminal = terminalOf();
    await fitCommand('tiny-residual', { ...SMALL, batch: '64', memory: '40MB', timeLimit: '0.2' }, terminal);
    const text = terminal.printed.join('\n');
    expect(text).toMatch(
      /Ways to fit:\n {2}1\. Use the plan of \S+: .* same result\n(?: {2}\d\. Use .*--.*\n)+Next: /,
    );
    const roomy = await answered('tiny-residual', { ...SMALL, memory: '11GiB' });
    expect(roomy.wouldFit).toBeUndefined();
  });

  it('prints a table, what holds the memory, the best trade and the next step', async () => {
    const terminal = terminalOf();
    await fitCommand('tiny-residual', { ...SMALL, memory: '11GiB', timeLimit: '0.2' }, terminal);
    const text = terminal.printed.join('\n');
    for (const word of ['largest batch', 'best trade', 'activations', 'Not counted: ', 'Next: '])
      expect(text).toContain(word);
  });

  it.each([
    [{ memory: 'much' }, '--memory must be an amount of memory'],
    [{ memory: '500MiB' }, '--memory 500MiB is not larger than the context of 768 MiB'],
    [{ memory: '2GiB', optimizer: 'best' }, '--optimizer must be sgd, momentum,'],
    [{ memory: '2GiB', precision: 'fp8' }, '--precision must be fp32, tf32,'],
    [{ memory: '2GiB', precision: 'bf16', dtype: 'float16' }, 'give only one of --precision and --dtype'],
    [{ memory: '2GiB', accumulate: '0' }, '--accumulate must be a whole number'],
  ] as const)('refuses %o in a sentence', async (flags, sentence) => {
    const failure = await answered('tiny-residual', flags).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(BadInputError);
    expect((failure as Error).message).toContain(sentence);
  });
});
