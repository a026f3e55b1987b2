import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareCommand } from '../../../app/cli/commands/compare.ts';
import { exportCommand } from '../../../app/cli/commands/export.ts';
import { type LimitsFlags, limitsCommand } from '../../../app/cli/commands/limits.ts';
import { modelsCommand } from '../../../app/cli/commands/models.ts';
import { solveCommand } from '../../../app/cli/commands/solve.ts';
import { tablesCommand } from '../../../app/cli/commands/tables.ts';
import { limitsRequestSchema } from '../../../app/contract/limits.ts';
import { STRATEGIES } from '../../../engine/strategies/registry.ts';
import { chosenDevice } from '../../../renderer/state/experiment/device.ts';
import { memoryFor } from '../../../renderer/state/experiment/limits-settings.ts';
import { localSolver } from '../../../main/solver/solver.ts';
import { printed } from '../bridges/printed.ts';
import { json, recorder } from './recorder.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

interface Printed {
  readonly batch: number;
  readonly savedBytes: number;
  readonly rows: { readonly strategy: string; readonly peakBytes: number; readonly applicable: boolean }[];
}

describe('compare', () => {
  it('prints a row for every strategy that needs no option of its own; the slow ones of small networks only', async () => {
    const OF_OPTIONS = ['manual', 'budget', 'plan', 'offload', 'save-on-cpu'];
    const SLOW = ['checkmate-rounding', 'milp'];
    for (const [network, left] of [
      ['resnet18', [...OF_OPTIONS, ...SLOW]],
      ['tiny-residual', OF_OPTIONS],
    ] as const) {
      const result = await json<Printed>((terminal) =>
        compareCommand([network], { batch: '4', json: true }, terminal),
      );
      const names = STRATEGIES.map((s) => s.name).filter((name) => !left.includes(name));
      expect(result.rows.map((row) => row.strategy)).toEqual(names);
      expect(result.batch).toBe(4);
    }
  });

  it('runs segments reentrant on request, and shows each strategy’s kind of segments', async () => {
    type Row = { strategy: string; applicable: boolean; checkpointing: string | null; peakBytes: number };
    type Rows = { rows: Row[] };
    const asked = (checkpointing: string) =>
      json<Rows>((terminal) => compareCommand(['vgg11'], { checkpointing, json: true }, terminal));
    const [reentrant, plain] = [await asked('reentrant'), await asked('non-reentrant')];
    const peaks = ({ rows }: Rows, strategy: string) =>
      rows.find((row) => row.strategy === strategy)?.peakBytes;
    expect((peaks(reentrant, 'optimal') ?? 0) / 2 ** 20).toBeCloseTo(43.45, 2);
    expect((peaks(plain, 'optimal') ?? 0) / 2 ** 20).toBeCloseTo(37.32, 1);
    for (const row of reentrant.rows.filter(({ applicable }) => applicable)) {
      const isMade = STRATEGIES.find(({ name }) => name === row.strategy)?.reads.checkpointing === 'takes';
      expect(row.checkpointing, row.strategy).toBe(isMade ? 'reentrant' : null);
      if (!isMade) expect(row.peakBytes, row.strategy).toBe(peaks(plain, row.strategy));
    }
    const terminal = recorder();
    await compareCommand(['tiny-residual'], { checkpointing: 'reentrant' }, terminal);
    expect(terminal.lines.join('\n')).toMatch(/segments run +reentrant: chen-sqrt.*optimal/);
    expect(terminal.lines.join('\n')).toMatch(
      /no segments +regular.*live.*: --checkpointing changes nothing there/,
    );
  });

  it('draws a zigzag for every applicable strategy', async () => {
    const terminal = recorder();
    await compareCommand(['alexnet'], { batch: '2' }, terminal);
    expect(terminal.lines.join('\n')).toMatch(/optimal[\s\S]*█/);
  });
});

describe('solve', () => {
  it('answers with one row and the frame around it', async () => {
    const result = await json<Printed>((terminal) =>
      solveCommand('resnet50', { strategy: 'optimal', json: true }, terminal),
    );
    expect(result.rows).toHaveLength(1);
    expect(result.rows[0]?.peakBytes).toBeLessThan(result.savedBytes);
  });

  it('takes the length of a sequence under either name, and says it', async () => {
    for (const flag of ['--sequence', '--input']) {
      const text = await printed('solve', 'tiny-transformer', flag, '16', '--strategy', 'regular', '--json');
      expect(JSON.parse(text), flag).toMatchObject({ input: 16, inputUnit: 'tokens' });
    }
    expect(await printed('compare', 'tiny-transformer', '--sequence', '16')).toContain(
      ', 16 tokens, profile',
    );
  });

  it('reads a graph file', async () => {
    const path = join(freshFolder(), 'graph.json');
    const vertices = ['a', 'b', 'c', 'd'].map((id) => ({ id, bytes: 100 }));
    const edges = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'd'],
    ];
    writeFileSync(path, JSON.stringify({ format: 'zigzag-graph', version: 1, name: 'g', vertices, edges }));
    const result = await json<Printed & { paperCostBytes: number }>((terminal) =>
      solveCommand(path, { strategy: 'linear-optimal', json: true }, terminal),
    );
    expect(result.rows[0]?.applicable).toBe(true);
  });

  it('says that a plan with regular training’s peak and more time saves nothing', async () => {
    const terminal = recorder();
    await solveCommand('chain-3', { strategy: 'optimal' }, terminal);
    expect(terminal.lines.join('\n')).toMatch(/^known to be +saves nothing here: regular .*; minimum of Eq/m);
    terminal.lines.length = 0;
    await compareCommand(['chain-3'], {}, terminal);
    expect(terminal.lines.join('\n')).toMatch(/optimal[ │]+\S+ MiB[ │]+\S+ \w+[ │]+nothing[ │]/);
    terminal.lines.length = 0;
    await compareCommand(['chain-3', 'chain-64'], {}, terminal);
    expect(terminal.lines.join('\n')).toMatch(/optimal[ │]+\S+ \w+ \(nothing\)[ │]+\S+ \w+ \(\d+ %\)/);
  });

  it('says of a plan that peaks above regular training how much more it needs', async () => {
    const terminal = recorder();
    const reentrant = { checkpointing: 'reentrant' };
    await solveCommand('chain-4', { strategy: 'chen-greedy', ...reentrant }, terminal);
    expect(terminal.lines[0]).toMatch(/chen-greedy peaks at 72.0 KiB instead of 60.0 KiB \(20 % more\) for /);
    expect(terminal.lines.join('\n')).toMatch(
      /^known to be +worse than nothing here: regular training peaks lower/m,
    );
    terminal.lines.length = 0;
    await compareCommand(['chain-4'], reentrant, terminal);
    expect(terminal.lines.join('\n')).toMatch(/chen-greedy[ │]+\S+ MiB[ │]+72\.0 KiB[ │]+20 % more[ │]/);
    terminal.lines.length = 0;
    await compareCommand(['chain-4', 'chain-64'], reentrant, terminal);
    expect(terminal.lines.join('\n')).toMatch(
      /chen-greedy[ │]+72\.0 KiB \(20 % more\)[ │]+\S+ \w+ \(\d+ %\)/,
    );
  });

  it('says that a limit ended the search, and how far it got', async () => {
    const flags = { strategy: 'live', timeLimit: '0.001' };
    const { rows } = await json<{ rows: Record<string, unknown>[] }>((terminal) =>
      solveCommand('chain-2500', { ...flags, json: true }, terminal),
    );
    expect(rows[0]).toMatchObject({ applicable: true, stoppedEarly: true });
    const ended =
      /the search ended at its limit of (the work of )?0\.001 s, after 0 of 8 orders and 0 of \d+ moves/;
    expect(rows[0]?.['notSearched']).toMatch(ended);
    expect(rows[0]).not.toHaveProperty('stopped');
    const terminal = recorder();
    await solveCommand('chain-2500', flags, terminal);
    expect(terminal.lines.join('\n')).toMatch(ended);
    const whole = await json<{ rows: Record<string, unknown>[] }>((terminal) =>
      solveCommand('alexnet', { strategy: 'live', json: true }, terminal),
    );
    expect(whole.rows[0]).not.toHaveProperty('stoppedEarly');
  });

  const refused: [string, string, Parameters<typeof solveCommand>[1], RegExp][] = [
    ['an unknown network', 'resnt50', {}, /no network and no file is named "resnt50".*did you mean resnet50/],
    ['a missing file', './none.json', {}, /there is no file \.\/none\.json/],
    [
      'a model of a hub',
      'Qwen/Qwen0-1B',
      {},
      /there is no file Qwen\/Qwen0-1B; to use a model of huggingface/,
    ],
    ['a batch of 0', 'resnet50', { batch: '0' }, /--batch must be a whole number from 1 to 65536, got "0"/],
    ['a negative batch', 'resnet50', { batch: '-1' }, /--batch must be/],
    ['a fractional batch', 'resnet50', { batch: '1.5' }, /--batch must be/],
    ['a batch of 1e9', 'resnet50', { batch: '1e9' }, /--batch must be/],
    ['an empty batch', 'resnet50', { batch: '' }, /--batch must be/],
    ['an input too small', 'vgg16', { input: '8' }, /vgg16 needs 32 or more/],
    ['an unknown strategy', 'resnet50', { strategy: 'optimall' }, /did you mean optimal/],
    ['a strategy that does not apply', 'resnet50', { strategy: 'linear-optimal' }, /does not apply here/],
    ...['0', '-1', 'soon', 'Infinity'].map((timeLimit): [string, string, Record<string, string>, RegExp] => [
      `a time limit of ${timeLimit}`,
      'alexnet',
      { strategy: 'live', timeLimit },
      new RegExp(`--time-limit must be a number of seconds from 0.001 to 86400, got "${timeLimit}"`),
    ]),
    [
      'no segments',
      'vgg11',
      { strategy: 'sequential', segments: '0' },
      /--segments must be a whole number from 1 to 1000000, got "0"/,
    ],
    [
      'a kind of checkpointing that there is not',
      'vgg11',
      { checkpointing: 'both' },
      /--checkpointing must be non-reentrant or reentrant, got "both"/,
    ],
    [
      'more segments than layers',
      'vgg11',
      { strategy: 'sequential', segments: '500' },
      /sequential does not apply here: segments: expected a whole number from 1 to \d+, the number of stages, got 500/,
    ],
    ['a budget in no unit', 'resnet50', { budget: '11 parsecs' }, /--budget must be an amount of memory/],
    [
      'a budget beside a strategy that reads none',
      'resnet50',
      { budget: '60%', strategy: 'regular' },
      /^--budget changes nothing under regular: leave it out, or use the strategy chain-dp, .*$/,
    ],
    ['a share of nothing', 'resnet50', { budget: '0%' }, /--budget must be .* a share above 0 %/],
  ];
  it.each(refused)('refuses %s in one sentence', async (_what, target, flags, sentence) => {
    await expect(solveCommand(target, flags, recorder())).rejects.toThrow(sentence);
  });
});

it("models lists the papers' networks with their sizes", async () => {
  const rows = await json<{ name: string; parameters: number; tensorVertices: number }[]>((terminal) =>
    modelsCommand({ json: true }, terminal),
  );
  const resnet50 = rows.find((row) => row.name === 'resnet50');
  expect(resnet50).toMatchObject({ parameters: 25557032, tensorVertices: 106 });
});

it("tables treewidth 002: prints the article's widths beside the largest bags, with the convention that separates them", async () => {
  const { rows } = await json<{ rows: Record<string, unknown>[] }>((t) =>
    tablesCommand('treewidth', { json: true }, t),
  );
  expect(rows.find(({ network }) => network === 'Multi-tower with 2 towers')).toMatchObject({
    paperWidth: 4,
    largestBag: 3,
    mergedBag: 4,
    convention: 'largest bag, parallel paths merged',
  });
});

describe('limits', () => {
  const limits = (target: string, flags: LimitsFlags) =>
    json<{ rows: { strategy: string; batch: number }[] }>((t) =>
      limitsCommand(target, { ...flags, json: true }, t),
    );

  it('gives the page’s numbers, in any data type', async () => {
    const strategies = ['regular', 'optimal'];
    for (const [dtype, batch] of [
      ['float32', 124],
      ['float16', 245],
    ] as const) {
      const { rows } = await limits('resnet50', { memory: '11GiB', dtype });
      // A card of 11 GiB in the lab, with its context taken off.
      const memoryBytes = memoryFor(chosenDevice({ device: 'rtx-2080-ti' }));
      const request = { model: 'resnet50', batch: 8, dtype, strategies, memoryBytes };
      for await (const event of localSolver().limits(limitsRequestSchema.parse(request))) {
        if (event.type !== 'row') continue;
        const ours = rows.find(({ strategy }) => strategy === event.row.strategy);
        const { batch, peakBytes } = event.row.batch ?? {};
        expect(ours, event.row.strategy).toMatchObject({ batch, peakBytes });
      }
      expect(rows[0]).toMatchObject({ strategy: 'regular', batch });
    }
  });

  it('finds the same batch for a file as for its network of the zoo', async () => {
    const path = join(freshFolder(), 'vgg11.json');
    const terminal = recorder();
    await exportCommand('vgg11', { to: 'graph' }, terminal);
    writeFileSync(path, terminal.lines.join('\n'));
    const flags = { memory: '8GiB', strategy: 'live' };
    const [zoo, file] = await Promise.all(['vgg11', path].map((target) => limits(target, flags)));
    expect(file?.rows).toEqual(zoo?.rows);
    expect(file?.rows[0]?.batch).toBeGreaterThan(8);
  });
});

describe('tables', () => {
  it('refuses measurements of another table, missing ones and invalid ones, by path', async () => {
    const tables = (which: string, measured: string) => tablesCommand(which, { measured }, recorder());
    await expect(tables('iclr', 'm.json')).rejects.toThrow('--measured is for the table cvpr');
    await expect(tables('cvpr', '/nowhere/m.json')).rejects.toThrow(
      '--measured /nowhere/m.json: there is no file /nowhere/m.json',
    );
    const path = join(freshFolder(), 'm.json');
    writeFileSync(path, '{"format":"zigzag-measurements","version":2,"rows":[]}');
    await expect(tables('cvpr', path)).rejects.toThrow(
      /^--measured .*: this lab reads zigzag-measurements\/1/,
    );
  });

  it('refuses an unknown table and two forms at once', async () => {
    await expect(tablesCommand('neurips', {}, recorder())).rejects.toThrow(
      /choose cvpr, iclr, theory, capabilities, figure1, depth, layers, treewidth or claims/,
    );
    await expect(tablesCommand('cvpr', { json: true, csv: true }, recorder())).rejects.toThrow(/give one of/);
  });
});
