import { describe, expect, it } from 'vitest';
import type { TableEvent } from '../../../../app/contract/tables.ts';
import type { LabClient } from '../../../../app/contract/client.ts';
import { NETWORK_TABLES, type TableName } from '../../../../engine/tables/table.ts';
import { recipeOf } from '../../../../engine/tables/recipes.ts';
import { NO_CONTROL } from '../../../../engine/strategies/strategy/strategy.ts';
import { tableEvents } from '../../../../main/solver/tables.ts';
import { causesOf } from '../../../../renderer/screens/tables/paper/causes.ts';
import { cellText } from '../../../../renderer/screens/tables/paper/cells.ts';
import {
  cutoffPairs,
  cutoffTable,
  familyOf,
  familySpans,
} from '../../../../renderer/screens/tables/cutoff/cutoff-bars.ts';
import { exportedTable } from '../../../../renderer/screens/tables/export/exported.ts';
import { tableHeadline } from '../../../../renderer/screens/tables/headline/headline.ts';
import { LAYOUTS, PICTURED } from '../../../../renderer/screens/tables/state/layout.ts';
import {
  nextSorting,
  readSorting,
  sortRows,
  writeSorting,
} from '../../../../renderer/screens/tables/state/sort.ts';
import {
  afterTableEvent,
  createTablesStore,
  isComplete,
  NOT_BEGUN,
} from '../../../../renderer/screens/tables/state/tables-store.ts';
import {
  readTables,
  withTables,
  writeTables,
} from '../../../../renderer/screens/tables/state/tables-view.ts';
import { until } from '../../support/fake-lab.ts';

const theory: TableEvent[] = [];
tableEvents({ name: 'theory' }, { control: NO_CONTROL, emit: (event) => theory.push(event) });
const table = theory.reduce(afterTableEvent, NOT_BEGUN);
const plain = (text: string): string => text.replaceAll('\u202f', ' ');

describe('a table', () => {
  it('shows columns that the engine has, and pictures two of them', () => {
    for (const name of NETWORK_TABLES) {
      const keys = recipeOf(name, () => 0).head.columns.map(({ key }) => key);
      const shown = LAYOUTS[name].flatMap(({ cells }) => cells.map(({ key }) => key));
      for (const key of [...shown, PICTURED[name].paper, PICTURED[name].ours]) expect(keys).toContain(key);
    }
  });

  it.each(['cvpr', 'iclr'] as const)(
    '%s: cut-off and difference follow from the columns beside them',
    (name) => {
      const recipe = recipeOf(name, () => 0);
      const oursIn = (title: string): string =>
        LAYOUTS[name].find((group) => group.title === title)!.cells.find(({ from }) => from === 'ours')!.key;
      const row = recipe.rowOf(recipe.networks.indexOf('alexnet'));
      const figure = (key: string): number => Number(row[key]);
      const [regular, optimal] = [figure(oursIn('Regular, MB')), figure(oursIn('Optimal, MB'))];
      expect(Math.abs(figure('cutoffPct') - 100 * (1 - optimal / regular))).toBeLessThan(0.15);
      const apart = 100 * (regular / figure('paperRegularMB') - 1);
      expect(Math.abs(figure('regularDifferencePct') - apart)).toBeLessThan(0.06);
    },
  );

  it('says by which counts the article has its treewidths', () => {
    const events: TableEvent[] = [];
    tableEvents({ name: 'treewidth' }, { control: NO_CONTROL, emit: (event) => events.push(event) });
    const widths = events.reduce(afterTableEvent, NOT_BEGUN);
    const sentence = (shown: typeof widths): string =>
      tableHeadline('treewidth', shown)
        .map(({ text }) => text)
        .join('');
    expect(sentence(widths)).toBe(
      '5 of 15 printed treewidths equal the size of the largest bag; 10 follow from another way of counting.',
    );
    const odd = widths.rows.map((row, i) => (i === 0 ? { ...row, convention: 'unexplained' } : row));
    expect(sentence({ ...widths, rows: odd })).toMatch(
      /^4 of 15 .*; 10 follow from another way of counting, 1 follow from none\.$/,
    );
  });

  it('fills row by row until it is complete', () => {
    const [head, first] = theory;
    if (head === undefined || first === undefined) throw new Error('no events');
    const begun = [head, first].reduce(afterTableEvent, NOT_BEGUN);
    expect(begun.rows).toHaveLength(1);
    expect(isComplete(begun)).toBe(false);
    expect(isComplete(table)).toBe(true);
    expect(tableHeadline('theory', NOT_BEGUN)[0]?.text).toMatch(/^Reproducing/);
    expect(
      tableHeadline('theory', table)
        .map(({ text }) => text)
        .join(''),
    ).toMatch(/^Solved in .* took 3\.\d+.h; 13 of 16 cut-offs are as printed\.$/);
    expect(tableHeadline('cvpr', { ...begun, rows: [{ paperCutoffPct: 34, cutoffPct: 24 }] })[0]?.text).toBe(
      '0 of 1',
    );
  });

  it('has a pair of bars for every network from the start, with families named once', () => {
    const titles = new Map([['resnet18', 'ResNet-18']]);
    const pairs = cutoffPairs('theory', { ...table, rows: [] }, titles);
    expect(pairs).toHaveLength(table.networks.length);
    expect(pairs.every(({ paper, ours }) => paper === null && ours === null)).toBe(true);
    expect(familyOf('DenseNet-121')).toEqual({ family: 'DenseNet', member: '121' });
    expect(familyOf('DARTS')).toEqual({ family: 'DARTS', member: '' });
    const of = (family: string) => ({ network: family, family, member: '', paper: 1, ours: 2 });
    expect(familySpans([of('a'), of('b'), of('b')])).toEqual([
      { family: 'a', from: 0, to: 0 },
      { family: 'b', from: 1, to: 2 },
    ]);
    expect(cutoffTable(cutoffPairs('theory', table, titles), 'x').rows[0]).toHaveLength(3);
  });
});

describe('figures', () => {
  it('are formatted as everywhere in the lab, and a missing one is a dash', () => {
    expect(cellText(null, 'count')).toBe('–');
    expect(plain(cellText(4955, 'count'))).toBe('4 955');
    expect(plain(cellText(-24.4, 'change'))).toBe('−24 %');
    expect(plain(cellText(-2, 'points'))).toBe('−2.0 pt');
    expect(plain(cellText(7335.35, 'seconds'))).toBe('7 335 s');
    expect(plain(cellText(0.0123, 'milliseconds'))).toBe('12 ms');
    expect(plain(cellText(0.00042, 'milliseconds'))).toBe('420 µs');
  });

  it('sort by any column both ways, and the address remembers it', () => {
    const rows = [{ a: 2 }, { a: null }, { a: 10 }, { a: 1 }];
    const sorted = (text: string) => sortRows(rows, readSorting(text)).map(({ a }) => a);
    expect(sorted('a')).toEqual([1, 2, 10, null]);
    expect(sorted('-a')).toEqual([10, 2, 1, null]);
    expect(sorted('')).toEqual([2, null, 10, 1]);
    expect(writeSorting(readSorting('-a'))).toBe('-a');
    expect(nextSorting(nextSorting(nextSorting(null, 'a'), 'a'), 'a')).toBeNull();
  });

  it('are restored by a link: the table, its order and open rows', () => {
    const view = {
      name: 'iclr' as const,
      sorting: { key: 'cutoffPct', descending: true },
      opened: new Set(['vgg16', 'resnet50']),
    };
    const written = writeTables(view);
    expect(written).toEqual({ table: 'iclr', sort: '-cutoffPct', open: 'vgg16,resnet50' });
    expect(readTables(written)).toEqual(view);
    expect(readTables({ table: 'none', sort: '-', open: ',' })).toEqual({
      name: 'cvpr',
      sorting: null,
      opened: new Set(),
    });
    expect(withTables(view, { name: 'theory' })).toEqual({
      name: 'theory',
      sorting: null,
      opened: new Set(),
    });
    expect(withTables(view, { name: 'iclr', opened: new Set() })).toEqual({ ...view, opened: new Set() });
  });

  it('have causes, one a line', () => {
    const lines = causesOf([
      { kind: 'two-batches', column: 'ours', megabytes: -3 },
      { kind: 'unexplained', column: 'ours', megabytes: 40, percent: 3.25 },
      { kind: 'unexplained', column: 'chen', megabytes: 1, percent: 0.2 },
      { kind: 'unexplained-time', points: -5 },
    ]);
    expect(lines).toEqual([
      { cause: 'The difference of two batch sizes instead of the peak', sizes: 'Optimal: -3.0 MB.' },
      { cause: 'Unexplained', sizes: 'Optimal: +40 MB, 3.3 %; time overhead: -5.0 points.' },
    ]);
    expect(causesOf([{ kind: 'own-design' }])).toEqual([
      { cause: 'Our own design: the paper prints this network as a figure only', sizes: '' },
    ]);
    expect(causesOf([{ kind: 'unexplained-cutoff', points: 0.6 }])).toEqual([
      { cause: 'Unexplained', sizes: 'Cut-off: +0.6 points.' },
    ]);
    expect(causesOf([])).toEqual([]);
  });

  it('are exported in the order on screen, with a note on measurements', () => {
    const overhead = { share: 0.3, interval: [0.25, 0.35], pairs: 8 } as const;
    const measured = new Map([['vgg11', { overhead, batch: 2, input: 32, backend: 'wasm', device: 'wasm' }]]);
    const input = { table, rows: table.rows, sorting: { key: 'vertices', descending: true }, measured };
    const exported = exportedTable(input);
    const vertices = exported?.rows.map((row) => Number(row['vertices'])) ?? [];
    expect(vertices).toEqual([...vertices].sort((a, b) => b - a));
    expect(exported?.notes.at(-1)).toMatch(/^vgg11: Measured at batch 2, 32 × 32 pixels, on wasm/);
    expect(exportedTable({ ...input, table: NOT_BEGUN })).toBeNull();
  });
});

describe('the store', () => {
  const lab = (script: (name: TableName, signal?: AbortSignal) => AsyncGenerator<TableEvent>) =>
    ({
      table: async ({ name }: { name: TableName }, options?: { signal?: AbortSignal }) =>
        script(name, options?.signal),
    }) as unknown as LabClient;

  it('solves a table once, at its first view', async () => {
    let asked = 0;
    const tables = createTablesStore(
      lab(async function* () {
        asked += 1;
        yield* theory;
      }),
    );
    const store = tables.of('theory');
    store.show('theory');
    store.show('theory');
    await until(() => store.get().running === null);
    store.show('theory');
    expect(asked).toBe(1);
    expect(store.get().rows).toHaveLength(table.rows.length);
    expect(tables.of('cvpr').get()).toBe(NOT_BEGUN);
  });

  it('keeps the rows of a cancelled table and says so', async () => {
    const tables = createTablesStore(
      lab(async function* (_, signal) {
        yield* theory.slice(0, 3);
        await new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(new Error('gone'))),
        );
      }),
    );
    const store = tables.of('theory');
    store.show('theory');
    await until(() => store.get().rows.length === 2);
    tables.cancel();
    await until(() => store.get().running === null);
    expect(store.get()).toMatchObject({ cancelled: true, failure: null });
    expect(store.get().rows).toHaveLength(2);
  });
});
