import type { TableName } from '../../engine/tables/table.ts';
import type { ChartTable } from '../shared/charts/csv.ts';
import { PICTURED } from './layout.ts';
import type { TableProgress } from './tables-store.ts';

export interface CutoffPair {
  readonly network: string;
  /** The name on the axis, in at most two lines. */
  readonly lines: readonly string[];
  /** Percent; null where there is none yet. */
  readonly paper: number | null;
  readonly ours: number | null;
}

/** A pair of bars a network: the paper's cut-off and ours. Networks still to come have room already. */
export function cutoffPairs(
  name: TableName,
  table: TableProgress,
  titles: ReadonlyMap<string, string>,
): CutoffPair[] {
  const { paper, ours } = PICTURED[name];
  return table.networks.map((network, i) => {
    const row = table.rows[i];
    const value = (key: string): number | null => {
      const cell = row?.[key];
      return typeof cell === 'number' ? cell : null;
    };
    return {
      network,
      lines: twoLines(titles.get(network) ?? network),
      paper: value(paper),
      ours: value(ours),
    };
  });
}

/** `DenseNet-121` → DenseNet, 121: names are broken where their number starts. */
export function twoLines(title: string): readonly string[] {
  const match = /^(.*[a-z])[-\s]?([v\d].*)$/i.exec(title);
  return match?.[1] !== undefined && match[2] !== undefined && title.length > 7
    ? [match[1], match[2]]
    : [title];
}

export function cutoffTable(pairs: readonly CutoffPair[], citation: string): ChartTable {
  return {
    caption: `Cut-off in percent, paper and ours (${citation})`,
    columns: ['Network', 'Paper, %', 'Ours predicted, %'],
    rows: pairs.map(({ network, paper, ours }) => [network, paper, ours]),
  };
}
