import { spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseBudgetBytes } from '../../../app/cli/options.ts';
import { cellsOf, sweepPlan } from '../../../app/cli/sweep/plan.ts';
import type { SweptRow } from '../../../app/cli/sweep/solve-cells.ts';
import { CVPR_TABLE_2 } from '../../../engine/tables/paper-tables.ts';
import { runProgram as run } from './recorder.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

const SMALL = [
  ...['sweep', 'chain-4', 'tiny-residual', '--batches', '1,3', '--budgets', '80%,50%,1KiB'],
  ...['--strategies', 'regular,optimal,linear-optimal,chain-dp,budget'],
];

interface Document {
  readonly rows: readonly SweptRow[];
}

const rowsOf = (out: string): readonly SweptRow[] => (JSON.parse(out) as Document).rows;
/** But for the time that it took. */
const timeless = (rows: readonly SweptRow[]): object[] =>
  rows.map(({ solveMs: _, processorMs: __, ...row }) => row);

describe('zigzag sweep', () => {
  it('has a cell for every network, batch, strategy and, if read, budget', () => {
    const plan = sweepPlan(['chain-4', 'papers', 'chain-4'], {
      batches: '8,1',
      strategies: 'regular,budget',
    });
    expect(plan.networks.map(({ target }) => target)).toEqual([
      'chain-4',
      ...CVPR_TABLE_2.map(({ network }) => network),
    ]);
    expect(plan.budgets).toHaveLength(8);
    const cells = cellsOf(plan);
    expect(cells).toHaveLength(19 * 2 * (1 + 8));
    expect(cells.map(({ index }) => index)).toEqual([...cells.keys()]);
    expect(cells[1]).toEqual({ index: 1, target: 'chain-4', batch: 8, strategy: 'budget', budget: '90%' });
    expect(parseBudgetBytes('12.5%', '--budget', () => 1001)).toBe(125);
    const [swept = ''] = sweepPlan(['vgg11'], { budgets: '1.5GiB' }).budgets;
    expect(parseBudgetBytes(swept, '--budget', () => 1)).toBe(1.5 * 2 ** 30);
  });

  it('gives each cell the result of solve, once, in any number of shards', async () => {
    const whole = await run(...SMALL, '--json');
    expect(whole.code).toBe(0);
    const rows = rowsOf(whole.out);
    const out = freshFolder();
    for (const shard of ['2/3', '1/3', '3/3'])
      expect(await run(...SMALL, '--shard', shard, '--out', out)).toMatchObject({ code: 0, out: '' });
    expect(readdirSync(out).sort()).toEqual([1, 2, 3].map((k) => `shard-${k}-of-3.jsonl`));
    const merged = await run('sweep', '--merge', out, '--json');
    expect(merged.err).toBe('');
    expect(timeless(rowsOf(merged.out))).toEqual(timeless(rows));
    expect(rows.map(({ cell }) => cell)).toEqual([...rows.keys()]);
    const answered = rows.find(
      (row) => row.strategy === 'budget' && row.budget === '80%' && row.batch === 3,
    )!;
    const half = rowsOf((await run(...SMALL, '--precision', 'bf16', '--json')).out);
    expect(half[0]!.regularPeakBytes).toBeLessThan(rows[0]!.regularPeakBytes);
    const solved = await run(
      ...['solve', answered.model, '--batch', '3', '--budget', String(answered.budgetBytes), '--json'],
    );
    const [row] = (JSON.parse(solved.out) as { rows: { peakBytes: number; checkpoints: string[] }[] }).rows;
    expect([answered.peakBytes, answered.checkpoints]).toEqual([row!.peakBytes, row!.checkpoints.length]);
    expect(answered.peakBytes).toBeLessThanOrEqual(0.8 * answered.regularPeakBytes);
    const refused = rows.filter(({ budget, infeasible }) => budget === '1024' && infeasible === true);
    expect(new Set(refused.map(({ strategy }) => strategy))).toEqual(new Set(['chain-dp', 'budget']));
    for (const { reason, peakBytes } of refused) {
      expect(peakBytes).toBeNull();
      expect(reason).not.toBe('');
    }
  });

  it('continues after an interruption, even after a half-written line, and says what is missing', async () => {
    const out = freshFolder();
    await run(...SMALL, '--shard', '1/2', '--out', out);
    const file = join(out, 'shard-1-of-2.jsonl');
    const text = readFileSync(file, 'utf8');
    const lines = text.trimEnd().split('\n');
    const marked = lines.slice(0, 4).join('\n').replace('"solveMs":', '"marked":true,"solveMs":');
    writeFileSync(file, `${marked}\n${lines[4]!.slice(0, 25)}`);
    const some = await run('sweep', '--merge', out, '--json');
    expect(rowsOf(some.out)).toHaveLength(3);
    expect(some.err).toMatch(/^\d+ of \d+ cells are missing: run shards \d\/2, \d\/2 again$/);
    const again = await run(...SMALL, '--shard', '1/2', '--out', out);
    expect(again).toMatchObject({ code: 0 });
    const mended = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(mended).toHaveLength(lines.length);
    expect(mended[1]).toContain('"marked":true');
    expect(timeless(mended.slice(4).map((line) => JSON.parse(line)))).toEqual(
      timeless(lines.slice(4).map((line) => JSON.parse(line))),
    );
    truncateSync(file, 0);
    expect(await run(...SMALL, '--shard', '1/2', '--out', out)).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(lines.length);
  });

  it('refuses unsuitable requests and shards of another sweep in one sentence', async () => {
    const out = freshFolder();
    await run('sweep', 'chain-4', '--strategies', 'regular', '--out', out);
    const own = join(out, 'shard-1-of-1.jsonl');
    const refusals: [string[], RegExp][] = [
      [
        ['sweep', 'chain-5', '--strategies', 'regular', '--out', out],
        /holds another sweep; name another folder/,
      ],
      [['sweep', 'no-such-net'], /no network and no file is named "no-such-net"/],
      [['sweep', 'vgg11', '--budgets', '0%'], /--budgets must be .* a share above 0 %/],
      [['sweep', 'vgg11', '--budgets', '-3GiB'], /--budgets must be an amount of memory/],
      [['sweep', 'vgg11', '--batches', '0'], /--batches must be a whole number from 1/],
      [['sweep', 'vgg11', '--batches', '1,,2'], /--batches must be a list separated by commas/],
      [['sweep', 'vgg11', '--strategies', 'manual'], /--strategies must be /],
      [['sweep', 'vgg11', '--shard', '1/2'], /--shard needs --out/],
      [
        ['sweep', 'vgg11', '--strategies', 'live', '--segments', '3'],
        /--segments changes nothing under live/,
      ],
      [
        ['sweep', 'vgg11', '--strategies', 'live', '--budgets', '50%'],
        /--budgets changes nothing under live/,
      ],
      [
        ['sweep', 'vgg11', '--shard', '3/2', '--out', out],
        /--shard must be a part of a whole, such as 3\/64/,
      ],
      [
        ['sweep', 'vgg11', '--time-limit', '0', '--out', out],
        /--time-limit must be a number of seconds from 0.001/,
      ],
      [['sweep', '--merge', join(out, 'none')], /has no file shard-K-of-N\.jsonl/],
      [['sweep', 'vgg11', '--out', own], /--out: .* cannot be written/],
      [['sweep', 'vgg11', '--job', 'cron'], /--job must be slurm or ray/],
      [['sweep', 'vgg11', '--profile', 'none', '--out', join(out, 'new')], /--profile must be /],
      [['sweep', 'vgg11', '--seed', '-1', '--job', 'ray'], /--seed must be a whole number/],
      [['compare', '--all', 'vgg11', '--plan', 'p.json'], /--plan is for one network and strategy/],
      [['compare'], /name a network or a file to compare, or give --all/],
    ];
    for (const [args, sentence] of refusals) {
      const { code, err } = await run(...args);
      expect(code, args.join(' ')).toBe(2);
      expect(err).toMatch(sentence);
      expect(err).not.toContain('\n');
    }
    expect(readdirSync(out)).toEqual(['shard-1-of-1.jsonl']);
    appendFileSync(own, 'nonsense\n');
    expect((await run('sweep', '--merge', out)).err).toMatch(/is damaged in line 3: remove that line/);
    writeFileSync(own, '{"format":"other"}\n');
    expect((await run('sweep', '--merge', out)).err).toMatch(/is not a result of zigzag sweep/);
  });

  it('trusts no shard: neither its kind, nor its size, nor a line of it', async () => {
    const out = freshFolder();
    await run('sweep', 'chain-4', '--strategies', 'regular,optimal', '--out', out);
    const own = join(out, 'shard-1-of-1.jsonl');
    const [header = '', first = '', second = ''] = readFileSync(own, 'utf8').split('\n');
    const manyCells = JSON.parse(header) as { plan: { batches: number[]; networks: unknown[] } };
    manyCells.plan.batches = Array.from({ length: 10_000 }, (_, i) => i + 1);
    manyCells.plan.networks = Array.from({ length: 10_000 }, (_, i) => ({ target: `net-${i}` }));
    const row = (cell: unknown): string => first.replace('"cell":0', `"cell":${JSON.stringify(cell)}`);
    const files: [string, RegExp][] = [
      [`${JSON.stringify(manyCells)}\n`, /has a damaged first line: remove the file/],
      [`${header.replace('"number":1', '"number":"1"')}\n`, /has a damaged first line/],
      [`${header}\n{"cell":0}\n`, /is damaged in line 2: remove that line/],
      ...[-1, '0', 0.5, 2, null].map((cell): [string, RegExp] => [
        `${header}\n${second}\n${row(cell)}\n`,
        /is damaged in line 3/,
      ]),
      [
        `${header}\n${first}\n${first.replace(/"peakBytes":(\d+)/, '"peakBytes":1$1')}\n`,
        /has two results for cell 0, the second in line 3: remove the file/,
      ],
      [`${header}\n${first.replace('"batch":1', '"batch":2')}\n`, /is damaged in line 2/],
      [`${header.replace('"number":1,"of":1', '"number":2,"of":2')}\n${first}\n`, /is damaged in line 2/],
    ];
    for (const [text, sentence] of files) {
      writeFileSync(own, text);
      const { code, err } = await run('sweep', '--merge', out);
      expect([code, err]).toEqual([2, expect.stringMatching(sentence)]);
    }
    // Two runs of one shard at once write cells twice, each with its own times.
    writeFileSync(
      own,
      `${header}\n${first}\n${first.replace(/"solveMs":[\d.]+/, '"solveMs":1e6')}\n${second}\n`,
    );
    expect(rowsOf((await run('sweep', '--merge', out, '--json')).out).map(({ cell }) => cell)).toEqual([
      0, 1,
    ]);
    // Shards of another number share cells with this one.
    const half = join(out, 'shard-1-of-2.jsonl');
    const other = header.replace('"of":1', '"of":2');
    writeFileSync(half, `${other}\n${first}\n`);
    expect((await run('sweep', '--merge', out)).code).toBe(0);
    writeFileSync(half, `${other}\n${first.replace(/"peakBytes":(\d+)/, '"peakBytes":1$1')}\n`);
    expect(await run('sweep', '--merge', out)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/two shards have different results for cell 0, one of them 1\/2/),
    });
    rmSync(half);
    // A line without an end of 600 MiB, which takes no room on the disk.
    writeFileSync(own, `${header}\n`);
    truncateSync(own, 600 * 2 ** 20);
    expect(await run('sweep', '--merge', out)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/is damaged in line 2/),
    });
    rmSync(own);
    if (spawnSync('mkfifo', [own]).status !== 0) return;
    expect((await run('sweep', '--merge', out)).err).toMatch(/is a pipe or a device/);
  });

  it('writes one table as CSV and as a page that runs nothing', async () => {
    const page = join(freshFolder(), 'table.html');
    const { out, err } = await run(...SMALL, '--csv', '--html', page);
    const [head, ...lines] = out.split('\r\n');
    expect(head).toMatch(/^model,batch,input,profile,strategy,budget,budget_bytes,peak_bytes,cutoff,/);
    expect(head).toContain('peak_gap,recompute_fraction,recompute_bound_fraction,recompute_gap');
    expect(head).toMatch(/,not_applicable_because,processor_ms$/);
    expect(lines).toHaveLength(2 * 2 * (3 + 2 * 3));
    expect(err).toBe(`table written to ${page}`);
    const text = readFileSync(page, 'utf8');
    expect(text.match(/<tr>/g)).toHaveLength(1 + lines.length);
    expect(text).not.toMatch(/<script|https?:/);
    const all = await run('compare', '--all', 'chain-4', '--time-limit', '0.2', '--json');
    expect(new Set(rowsOf(all.out).map(({ budget }) => budget)).size).toBe(1 + 8);
  });
});

describe('a job of a sweep', () => {
  it('is a script that a shell and a Python read, with each word quoted', async () => {
    const words = ['sweep', 'chain-4', '--batches', '1,2', '--shards', '7', '--out', "it's here"];
    const slurm = await run(...words, '--job', 'slurm');
    expect(slurm.out).toContain('#SBATCH --array=1-7');
    expect(slurm.out).toContain(
      `sweep chain-4 --batches 1,2 --shard "$SLURM_ARRAY_TASK_ID/7" --out 'it'\\''s here'`,
    );
    expect(spawnSync('sh', ['-n'], { input: slurm.out }).status).toBe(0);
    const ray = await run(...words, '--job', 'ray');
    expect(ray.out).toContain('OUT = "it\'s here"');
    expect(
      spawnSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], { input: ray.out }).status,
    ).toBe(0);
  });

  it.each(['slurm', 'ray'])(
    'for %s names no folder with a line break, which would end a comment',
    async (job) => {
      const { code, out, err } = await run('sweep', 'chain-4', '--job', job, '--out', 'a\ntouch b');
      expect([code, out]).toEqual([2, '']);
      expect(err).toMatch(/^--out must be a folder whose name has no line breaks/);
    },
  );

  it('runs one shard where the scheduler starts it', async () => {
    const out = join(freshFolder(), 'results');
    const job = await run(...SMALL, '--job', 'slurm', '--shards', '3', '--out', out);
    const said = spawnSync('sh', {
      input: job.out,
      env: { ...process.env, ZIGZAG: 'echo', SLURM_ARRAY_TASK_ID: '2' },
    });
    expect(said.stdout.toString().trim()).toBe([...SMALL, '--shard', '2/3', '--out', out].join(' '));
  });
});
