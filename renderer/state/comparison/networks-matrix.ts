import type { LabFailureView } from '../../../app/contract/client.ts';
import { savedText } from '../../../app/report/claims.ts';
import type { Experiment } from '../../../app/contract/experiment.ts';
import { networkTitle, orderedNetworks } from '../experiment/network-order.ts';
import type { Place } from '../experiment/networks.ts';
import type { ChartTable } from '../../shared/charts/csv.ts';
import { formatBytes } from '../../shared/format/bytes.ts';
import { formatChange, THIN } from '../../shared/format/numbers.ts';
import { keyOf, type NetworkResults, questionOf } from './comparison.ts';
import { regularPeak, type StrategyRow, strategyRows } from './rows.ts';

export interface NetworkRow {
  readonly place: Place;
  readonly single: Experiment;
  readonly title: string;
  readonly rows: readonly StrategyRow[];
  readonly regularBytes: number | null;
  readonly failure: string | null;
}

export interface MatrixInput {
  readonly experiment: Experiment;
  readonly models: readonly { readonly name: string; readonly title: string }[];
  readonly titles: ReadonlyMap<string, string>;
  /** The results of the network in front, where they are its own. */
  readonly front: NetworkResults | null;
  readonly results: ReadonlyMap<string, NetworkResults>;
  readonly failures: ReadonlyMap<string, LabFailureView>;
}

export function networkRows(input: MatrixInput): NetworkRow[] {
  const { experiment, models, titles, front, results, failures } = input;
  return orderedNetworks(experiment, models).map(({ place, single }): NetworkRow => {
    const own = place === 0 ? front : (results.get(keyOf(single)) ?? null);
    return {
      place,
      single,
      title: networkTitle(single.model, models),
      rows: strategyRows({ results: own, experiment: single, titles }),
      regularBytes: own === null ? null : regularPeak(own, single.batch),
      failure: place === 0 ? null : (failures.get(questionOf(single))?.message ?? null),
    };
  });
}

export const MEASURES = [
  { key: 'peak', title: 'Peak', says: 'Peak of one training step' },
  { key: 'saved', title: 'Saved', says: 'Share of the regular peak that is saved' },
  { key: 'time', title: 'Time', says: 'Predicted time overhead against regular training' },
] as const;
export type Measure = (typeof MEASURES)[number]['key'];

export const measureIn = (text: string | undefined): Measure =>
  MEASURES.find(({ key }) => key === text)?.key ?? 'saved';

export function figureOf(row: StrategyRow, measure: Measure): number | null {
  if (row.state !== 'solved') return null;
  if (measure === 'peak') return row.peakBytes;
  return measure === 'saved' ? row.cut : row.predictedOverhead;
}

export function formatMeasure(value: number, measure: Measure): string {
  if (measure === 'peak') return formatBytes(value);
  return measure === 'saved' ? savedText(value, false, THIN) : formatChange(value);
}

/** Names of the strategies with the best figure of a network; regular training is what they are measured against. */
export function bestOf({ rows }: Pick<NetworkRow, 'rows'>, measure: Measure): ReadonlySet<string> {
  const sign = measure === 'saved' ? -1 : 1;
  const rated = rows
    .filter((row) => row.identity.name !== 'regular')
    .flatMap((row) => {
      const value = figureOf(row, measure);
      return value === null ? [] : [{ name: row.identity.name, value: sign * value }];
    });
  if (rated.length < 2) return new Set();
  const best = Math.min(...rated.map(({ value }) => value));
  return new Set(rated.filter(({ value }) => value === best).map(({ name }) => name));
}

export interface MatrixSorting {
  readonly column: string;
  readonly descending: boolean;
}

/** Sorted copy; networks without a figure stay at the end. */
export function sortNetworks(
  networks: readonly NetworkRow[],
  sorting: MatrixSorting | null,
  measure: Measure,
): readonly NetworkRow[] {
  if (sorting === null) return networks;
  const { column, descending } = sorting;
  const keyed = networks.map((network) => ({ network, value: sortValue(network, column, measure) }));
  const known = keyed.filter(
    (entry): entry is { network: NetworkRow; value: string | number } => entry.value !== null,
  );
  const unknown = keyed.filter(({ value }) => value === null);
  known.sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0) * (descending ? -1 : 1));
  return [...known, ...unknown].map(({ network }) => network);
}

function sortValue(network: NetworkRow, column: string, measure: Measure): string | number | null {
  if (column === 'network') return network.title.toLowerCase();
  if (column === 'batch') return network.single.batch;
  const row = network.rows.find(({ identity }) => identity.name === column);
  return row === undefined ? null : figureOf(row, measure);
}

export function matrixData(networks: readonly NetworkRow[]): ChartTable {
  return {
    caption: 'Networks and strategies',
    columns: [
      'network',
      'batch',
      'input',
      'dtype',
      'strategy',
      'peak_bytes',
      'cutoff',
      'predicted_overhead',
      'recompute_fraction',
      'checkpoints',
      'not_applicable_because',
    ],
    rows: networks.flatMap(({ single, rows, failure }) =>
      rows.map((row) => [
        single.model,
        single.batch,
        single.input ?? null,
        single.precision ?? single.dtype,
        row.identity.name,
        row.peakBytes,
        row.cut,
        row.predictedOverhead,
        row.recomputeFraction,
        row.state === 'solved' ? row.checkpoints.length : null,
        row.reason ?? failure,
      ]),
    ),
  };
}
