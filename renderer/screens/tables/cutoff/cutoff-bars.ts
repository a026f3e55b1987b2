import type { NetworkTable } from '../../../../engine/tables/table.ts';
import type { ChartTable } from '../../../shared/charts/csv.ts';
import { PICTURED } from '../state/layout.ts';
import type { TableProgress } from '../state/tables-store.ts';

export const BARS = [
  { key: 'paper', title: 'Paper', color: 'var(--zz-axis)', ink: 'var(--zz-muted)' },
  { key: 'ours', title: 'Zigzag, predicted', color: 'var(--zz-green)', ink: 'var(--zz-ink)' },
] as const;

export interface CutoffPair {
  readonly network: string;
  readonly family: string;
  /** The name within the family; empty where there is but one. */
  readonly member: string;
  /** Percent; null if none exists yet. */
  readonly paper: number | null;
  readonly ours: number | null;
}

export function cutoffPairs(
  name: NetworkTable,
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
    return { network, ...familyOf(titles.get(network) ?? network), paper: value(paper), ours: value(ours) };
  });
}

/** `DenseNet-121` → DenseNet and 121: the family once for all, the member under its bars. */
export function familyOf(title: string): { readonly family: string; readonly member: string } {
  const match = /^(.+)-([^-]+)$/.exec(title);
  return { family: match?.[1] ?? title, member: match?.[2] ?? '' };
}

export interface FamilySpan {
  readonly family: string;
  readonly from: number;
  readonly to: number;
}

export function familySpans(pairs: readonly CutoffPair[]): FamilySpan[] {
  const spans: FamilySpan[] = [];
  pairs.forEach(({ family }, i) => {
    const last = spans.at(-1);
    if (last?.family === family) spans[spans.length - 1] = { ...last, to: i };
    else spans.push({ family, from: i, to: i });
  });
  return spans;
}

export function cutoffTable(pairs: readonly CutoffPair[], citation: string): ChartTable {
  return {
    caption: `Cut-off in percent, paper and ours (${citation})`,
    columns: ['Network', 'Paper, %', 'Ours predicted, %'],
    rows: pairs.map(({ network, paper, ours }) => [network, paper, ours]),
  };
}
