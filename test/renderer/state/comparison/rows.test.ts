import { beforeAll, describe, expect, it } from 'vitest';
import { type NetworkResults, withEvent } from '../../../../renderer/state/comparison/comparison.ts';
import { columnsOf } from '../../../../renderer/screens/compare/strategies/columns.ts';
import { headline } from '../../../../app/report/comparison-headline.ts';
import { namedIn } from '../../../../renderer/state/comparison/named-in.ts';
import { overheadBars, overheadTable } from '../../../../renderer/screens/compare/overhead/overhead-bars.ts';
import {
  endedAtLimit,
  frontRow,
  regularPeak,
  type StrategyRow,
  strategyRows,
} from '../../../../renderer/state/comparison/rows.ts';
import { bytesAfterForward } from '../../../../renderer/state/comparison/sized-timeline.ts';
import { nextSorting, sortRows } from '../../../../renderer/screens/compare/strategies/sort-rows.ts';
import { eventsOf, experimentOf } from '../../support/fake-lab.ts';

const STRATEGIES = ['regular', 'chen-sqrt', 'linear-optimal', 'optimal'];
const TITLES = new Map([['optimal', 'Optimal (ACG solver)']]);

function resultsAt(batch: number): NetworkResults {
  const experiment = experimentOf({ strategies: STRATEGIES, batch });
  let results: NetworkResults | undefined;
  for (const event of eventsOf(experiment)) results = withEvent(results, 'key', batch, event);
  if (results === undefined) throw new Error('no head');
  return results;
}

const rowsAt = (results: NetworkResults, batch: number): StrategyRow[] =>
  strategyRows({
    results,
    experiment: { batch, strategies: STRATEGIES },
    titles: TITLES,
    measured: new Map([['optimal', { share: 0.31, interval: [0.25, 0.4], pairs: 8 }]]),
  });

describe('rows', () => {
  let at4: NetworkResults;
  beforeAll(() => {
    at4 = resultsAt(4);
  });

  it('name searches that the limit ended, with their progress', () => {
    const limited = (name: string, results: NetworkResults): NetworkResults => {
      const solved = results.solved.get(name)!;
      const stopped = {
        limitSeconds: 3,
        by: 'clock' as const,
        unfinished: [{ what: 'moves' as const, tried: 2, of: 9 }],
      };
      const row = { ...solved.row, solveMs: 3000, stopped };
      return { ...results, solved: new Map([...results.solved, [name, { ...solved, row }]]) };
    };
    const solvedIn = columnsOf({}).find(({ title }) => title === 'Solved in');
    const cells = (results: NetworkResults) => rowsAt(results, 4).map((row) => solvedIn?.cell(row));
    expect(endedAtLimit(rowsAt(at4, 4))).toBe('');
    for (const cell of cells(at4)) expect(cell?.text).not.toContain('limit');
    const one = limited('optimal', at4);
    expect(endedAtLimit(rowsAt(one, 4))).toBe(
      'Optimal reached the search limit; the best plan found is shown. ',
    );
    expect(cells(one).at(-1)?.text).toMatch(/^3\.00.s, limit$/);
    expect(cells(one).at(-1)?.note).toBe('The search ended at its limit of 3 s, after 2 of 9 moves.');
    expect(endedAtLimit(rowsAt(limited('chen-sqrt', one), 4))).toMatch(/^\S.* and Optimal reached /);
  });

  it('scaled to another batch size they equal what the lab solves there', () => {
    for (const batch of [1, 7, 64]) {
      const scaled = rowsAt(at4, batch);
      const solved = rowsAt(resultsAt(batch), batch);
      scaled.forEach((row, i) => {
        expect(row.peakBytes).toBe(solved[i]?.peakBytes ?? null);
        expect(row.cut).toBe(solved[i]?.cut ?? null);
        expect(row.sized?.live).toEqual(solved[i]?.sized?.live);
        expect(row.paperCostBytes).toBe(solved[i]?.paperCostBytes ?? null);
        const bound = solved[i]?.lowerBoundBytes ?? 0;
        expect(Math.abs((row.lowerBoundBytes ?? 0) - bound)).toBeLessThanOrEqual(bound * 0.01);
      });
      expect(regularPeak(at4, batch)).toBe(solved[0]?.peakBytes);
    }
  });

  it('show bytes saved after the forward, at the solved batch and at another', () => {
    for (const batch of [4, 7]) {
      const solved = resultsAt(batch).solved;
      for (const { identity, sized } of rowsAt(at4, batch)) {
        if (sized === null) continue;
        expect(bytesAfterForward(sized), identity.name).toBe(solved.get(identity.name)?.row.savedBytes);
      }
    }
  });

  it('calls what recomputes for the peak of regular training nothing saved', () => {
    const [regular, ...others] = at4.solved.values();
    const optimal = others.at(-1);
    if (regular === undefined || optimal === undefined) throw new Error('not solved');
    const row = { ...optimal.row, claim: { kind: 'saves-nothing', besides: null } as const };
    const solved = new Map([...at4.solved, ['optimal', { ...optimal, row }]]);
    const cells = rowsAt({ ...at4, solved }, 4).map((one) =>
      columnsOf({})
        .find(({ key }) => key === 'cut')
        ?.cell(one),
    );
    expect(cells[3]).toMatchObject({ text: 'nothing', note: expect.stringMatching(/^saves nothing here/) });
    expect(cells[1]?.text).toMatch(/%$/);
  });

  it('says of what peaks above regular training how much more it needs, in the cell and in the headline', () => {
    const optimal = at4.solved.get('optimal');
    const regular = at4.solved.get('regular');
    if (regular?.timeline == null || optimal?.timeline == null) throw new Error('not solved');
    const claim = { kind: 'above-regular', besides: null } as const;
    const { live } = regular.timeline;
    const timeline = {
      ...regular.timeline,
      live: { ...live, fixed: live.fixed.map((bytes) => bytes + 2 ** 30) },
    };
    const solved = new Map([
      ...at4.solved,
      ['optimal', { ...optimal, timeline, row: { ...optimal.row, claim } }],
    ]);
    const row = rowsAt({ ...at4, solved }, 4)[3];
    if (row === undefined) throw new Error('no row');
    expect(row.cut).toBeLessThan(0);
    const cell = columnsOf({})
      .find(({ key }) => key === 'cut')
      ?.cell(row);
    expect(cell?.text).toMatch(/^[\d\u202f]+\u202f% more$/);
    expect(cell?.note).toBe('worse than nothing here: regular training peaks lower');
    const said = headline({ network: 'Tiny', batch: 4, regularBytes: 2 ** 20, front: row });
    expect(said.map(({ text }) => text).join('')).toMatch(
      / needs 1\.\d+\u202fGiB \(more than regular training\) for /,
    );
  });

  it('says why a strategy does not apply, and waits for missing rows', () => {
    const rows = rowsAt(at4, 4);
    expect(rows[2]).toMatchObject({ state: 'refused', peakBytes: null });
    expect(rows[2]?.reason).toMatch(/linear/);
    const waiting = strategyRows({
      results: null,
      experiment: { batch: 4, strategies: ['regular'] },
      titles: TITLES,
      measured: new Map(),
    });
    expect(waiting[0]).toMatchObject({ state: 'waiting', sized: null });
  });

  it('selects the chosen strategy, else the one with the lowest peak', () => {
    const rows = rowsAt(at4, 4);
    const lowest = Math.min(...rows.flatMap(({ peakBytes }) => peakBytes ?? []));
    expect(frontRow(rows, null)?.peakBytes).toBe(lowest);
    expect(frontRow(rows, 'regular')?.identity.name).toBe('regular');
    const [first] = rows.filter(({ sized }) => sized !== null);
    if (first === undefined) throw new Error('there is no row with a curve');
    const cheaper = { ...first, recomputeFraction: (first.recomputeFraction ?? 0) - 0.1 };
    expect(frontRow([first, cheaper], null)).toBe(cheaper);
    expect(frontRow([cheaper, first], null)).toBe(cheaper);
    expect(frontRow(rows, 'linear-optimal')?.peakBytes).toBe(lowest);
    expect(frontRow([], null)).toBeNull();
  });

  it('sorts by any column, both ways, and keeps rows without a value at the end', () => {
    const rows = rowsAt(at4, 4);
    const names = (sorting: Parameters<typeof sortRows>[1]): string[] =>
      sortRows(rows, sorting).map(({ identity }) => identity.name);
    expect(names(null)).toEqual(STRATEGIES);
    for (const descending of [false, true]) {
      const sorted = sortRows(rows, { key: 'peakBytes', descending });
      expect(sorted.at(-1)?.identity.name).toBe('linear-optimal');
      const peaks = sorted.slice(0, 3).map(({ peakBytes }) => peakBytes ?? 0);
      expect(peaks).toEqual([...peaks].sort((a, b) => (descending ? b - a : a - b)));
    }
    const once = nextSorting(null, 'cut');
    const twice = nextSorting(once, 'cut');
    expect([once, twice, nextSorting(twice, 'cut')]).toEqual([
      { key: 'cut', descending: false },
      { key: 'cut', descending: true },
      null,
    ]);
  });

  it('has a value or a reason in every cell', () => {
    for (const row of rowsAt(at4, 4)) {
      for (const { cell } of columnsOf({ checkpointing: 'reentrant' })) {
        const { text, note } = cell(row);
        expect(text).not.toBe('');
        expect(text).not.toMatch(/NaN|Infinity|undefined/);
        if (text === '–') expect(note).toBeTruthy();
      }
    }
  });

  it('gives the headline in one sentence, measured if a run exists', () => {
    const [regular, , , optimal] = rowsAt(at4, 4);
    const say = (front: StrategyRow | null): string =>
      headline({ network: 'Tiny', batch: 4, regularBytes: 4 * 1024 ** 2, front })
        .map(({ text }) => text)
        .join('')
        .replaceAll('\u202f', ' ');
    expect(say(regular ?? null)).toBe('Tiny at batch 4 needs 4.00 MiB for one regular training step.');
    expect(say(optimal ?? null)).toMatch(
      /^Tiny at batch 4 needs 4\.00 MiB; Optimal needs [\d.]+ [KM]iB for 31 % more time \(measured\)\.$/,
    );
    expect(say(null)).toMatch(/regular training step/);
  });

  it('finds the network that a refusal proposes', () => {
    const models = [{ name: 'alexnet' }, { name: 'resnet50' }, { name: 'chain-32' }];
    expect(namedIn('no "resnet51"; did you mean resnet50 or chain-32?', models)?.name).toBe('resnet50');
    expect(namedIn('nothing like it', models)).toBeUndefined();
  });

  it('draws a bar for every strategy that applies', () => {
    const bars = overheadBars(rowsAt(at4, 4));
    expect(bars.map(({ name }) => name)).toEqual(['regular', 'chen-sqrt', 'optimal']);
    expect(bars[2]?.measured).toBeCloseTo(0.31);
    expect(overheadTable(bars).rows[2]?.[2]).toBe('+31\u202f% (+25\u202f% to +40\u202f%)');
  });
});
