import { describe, expect, it } from 'vitest';
import type { Experiment } from '../../../../app/contract/experiment.ts';
import { keyOf, type NetworkResults, withEvent } from '../../../../renderer/state/comparison/comparison.ts';
import { acrossSentence } from '../../../../app/report/comparison-headline.ts';
import {
  bestOf,
  matrixData,
  type NetworkRow,
  networkRows,
  sortNetworks,
  figureOf,
} from '../../../../renderer/state/comparison/networks-matrix.ts';
import { networkBars } from '../../../../renderer/screens/compare/networks/network-bars.ts';
import {
  drawnNetworks,
  networkZigzag,
} from '../../../../renderer/screens/compare/networks/network-zigzag.ts';
import { questionOf } from '../../../../renderer/state/comparison/comparison.ts';
import { singleNetworks, toFront } from '../../../../renderer/state/experiment/networks.ts';
import { eventsOf, experimentOf } from '../../support/fake-lab.ts';

const MODELS = ['chain-8', 'tiny-residual', 'tiny-dropout'].map((name) => ({
  name,
  title: name.toUpperCase(),
}));
const several = experimentOf({
  strategies: ['regular', 'chen-sqrt', 'optimal'],
  also: [{ model: 'tiny-dropout' }, { model: 'chain-8', batch: 2 }],
});

function resultsOf(experiment: Experiment): NetworkResults {
  let results: NetworkResults | undefined;
  for (const event of eventsOf(experiment)) {
    results = withEvent(results, keyOf(experiment), experiment.batch, event);
  }
  if (results === undefined) throw new Error('no results');
  return results;
}

function rowsOf(experiment: Experiment, known = singleNetworks(experiment).map(resultsOf)): NetworkRow[] {
  return networkRows({
    experiment,
    models: MODELS,
    titles: new Map(),
    front: known.find(({ key }) => key === keyOf(experiment)) ?? null,
    results: new Map(known.map((results) => [results.key, results])),
    failures: new Map(),
  });
}

describe('matrix of networks', () => {
  it('keeps the order of rows when another network is selected', () => {
    const titles = (experiment: Experiment) => rowsOf(experiment).map(({ title }) => title);
    expect(titles(several)).toEqual(['CHAIN-8', 'TINY-RESIDUAL', 'TINY-DROPOUT']);
    expect(titles(toFront(several, 2))).toEqual(titles(several));
    expect(rowsOf(toFront(several, 2)).map(({ place }) => place)).toEqual([0, 1, 2]);
  });

  it('has every figure at the batch of its own network', () => {
    for (const { single, rows } of rowsOf(several)) {
      const expected = resultsOf(single);
      for (const row of rows) {
        expect(row.peakBytes).toBe(expected.solved.get(row.identity.name)?.row.peakBytes);
      }
    }
  });

  it('reserves the rows of networks that are not solved yet, and says why one was refused', () => {
    const [front] = singleNetworks(several);
    const known = front === undefined ? [] : [resultsOf(front)];
    const waiting = rowsOf(several, known);
    expect(waiting.map(({ rows }) => rows.map(({ state }) => state))).toEqual([
      ['waiting', 'waiting', 'waiting'],
      ['solved', 'solved', 'solved'],
      ['waiting', 'waiting', 'waiting'],
    ]);
    const refused = singleNetworks(several)[1];
    if (refused === undefined) throw new Error('no second network');
    const failures = new Map([
      [questionOf(refused), { code: 'BAD_INPUT' as const, message: 'no', path: '' }],
    ]);
    const rows = networkRows({
      experiment: several,
      models: MODELS,
      titles: new Map(),
      front: null,
      results: new Map(),
      failures,
    });
    expect(rows.map(({ failure }) => failure)).toEqual([null, null, 'no']);
  });

  it('marks the best of each row, regular training left out, and sorts by any strategy', () => {
    const networks = rowsOf(several);
    for (const network of networks) {
      const [best] = bestOf(network, 'peak');
      const peaks = network.rows
        .filter(({ identity }) => identity.name !== 'regular')
        .map((row) => row.peakBytes ?? 0);
      expect(network.rows.find(({ identity }) => identity.name === best)?.peakBytes).toBe(Math.min(...peaks));
    }
    const sorted = sortNetworks(networks, { column: 'optimal', descending: true }, 'peak');
    const values = sorted.map(({ rows }) => figureOf(rows[2] ?? rows[0]!, 'peak') ?? 0);
    expect(values).toEqual([...values].sort((a, b) => b - a));
    expect(
      sortNetworks(networks, { column: 'network', descending: false }, 'peak').map(({ title }) => title),
    ).toEqual(['CHAIN-8', 'TINY-DROPOUT', 'TINY-RESIDUAL']);
  });

  it('says where the selected strategy saves most and least', () => {
    const cuts = rowsOf(several).map(({ title, rows }) => ({ title, cut: rows[2]?.cut ?? 0 }));
    cuts.sort((a, b) => b.cut - a.cut);
    expect(acrossSentence(rowsOf(several), 'optimal')).toMatch(
      new RegExp(`^optimal saves most on ${cuts[0]?.title} .* least on ${cuts.at(-1)?.title} `),
    );
    expect(acrossSentence(rowsOf(several), 'regular')).toBe('');
  });

  it('exports one line for each network and strategy', () => {
    const { columns, rows } = matrixData(rowsOf(several));
    expect(rows).toHaveLength(9);
    expect(rows.every((row) => row.length === columns.length)).toBe(true);
  });

  it('draws bars in groups, without regular if the others are shares of it', () => {
    const bars = networkBars(rowsOf(several), 'saved');
    expect(bars.series.map(({ name }) => name)).toEqual(['chen-sqrt', 'optimal']);
    expect(bars.groups).toHaveLength(3);
    const peaks = networkBars(rowsOf(several), 'peak');
    const most = Math.max(...peaks.groups.flatMap(({ values }) => Object.values(values)));
    expect(peaks.axis.top).toBeGreaterThanOrEqual(most);
  });

  it('overlays the zigzags as shares of each network’s own regular peak', () => {
    const regular = networkZigzag(drawnNetworks(rowsOf(several), 'regular', 'share'), 'share');
    expect(regular.curves.map(({ points }) => Math.max(...points.map(({ y }) => y)))).toEqual([1, 1, 1]);
    expect(new Set(regular.curves.map(({ dash }) => dash)).size).toBe(3);
    expect(regular.curves.at(-1)?.width).toBeGreaterThan(regular.curves[0]?.width ?? 0);
  });
});
