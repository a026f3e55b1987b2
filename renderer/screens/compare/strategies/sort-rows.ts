import type { StrategyRow } from '../../../state/comparison/rows.ts';

export type SortKey =
  | 'peakBytes'
  | 'needs'
  | 'over'
  | 'largestBatch'
  | 'cut'
  | 'paperCostBytes'
  | 'gap'
  | 'checkpoints'
  | 'checkpointing'
  | 'recomputeFraction'
  | 'predictedOverhead'
  | 'sentBytes'
  | 'solveMs';

export interface Sorting {
  readonly key: SortKey;
  readonly descending: boolean;
}

function sortValue(row: StrategyRow, key: SortKey): number | string | null {
  if (row.state !== 'solved') return null;
  switch (key) {
    case 'checkpoints':
      return row.checkpoints.length;
    case 'needs':
      return row.verdict?.totalBytes ?? null;
    case 'over':
      return row.verdict?.overBytes ?? null;
    case 'largestBatch':
      return row.verdict?.largestBatch ?? null;
    default:
      return row[key];
  }
}

/** Sorted copy; rows without a value stay at the end in their order, whichever way the others run. */
export function sortRows(rows: readonly StrategyRow[], sorting: Sorting | null): readonly StrategyRow[] {
  if (sorting === null) return rows;
  const sign = sorting.descending ? -1 : 1;
  return rows
    .map((row, place) => ({ row, place, value: sortValue(row, sorting.key) }))
    .sort((a, b) => {
      if (a.value === null || b.value === null) {
        return Number(a.value === null) - Number(b.value === null) || a.place - b.place;
      }
      const order = a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
      return sign * order || a.place - b.place;
    })
    .map(({ row }) => row);
}

/** Ascending first, then descending, then the order of the chips again. */
export function nextSorting(sorting: Sorting | null, key: SortKey): Sorting | null {
  if (sorting?.key !== key) return { key, descending: false };
  return sorting.descending ? null : { key, descending: true };
}
