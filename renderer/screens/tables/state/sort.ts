import type { TableRow } from '../../../../engine/tables/table.ts';

export interface Sorting {
  readonly key: string;
  readonly descending: boolean;
}

/** As the address writes it: `cutoffPct`, or `-cutoffPct` from the largest. */
export function readSorting(text: string | undefined): Sorting | null {
  if (text === undefined || text === '' || text === '-') return null;
  return text.startsWith('-') ? { key: text.slice(1), descending: true } : { key: text, descending: false };
}

export const writeSorting = (sorting: Sorting | null): string =>
  sorting === null ? '' : `${sorting.descending ? '-' : ''}${sorting.key}`;

export function nextSorting(sorting: Sorting | null, key: string): Sorting | null {
  if (sorting?.key !== key) return { key, descending: false };
  return sorting.descending ? null : { key, descending: true };
}

/** Sorted copy; rows without a figure stay at the end in the paper's order. */
export function sortRows(rows: readonly TableRow[], sorting: Sorting | null): readonly TableRow[] {
  if (sorting === null) return rows;
  const { key, descending } = sorting;
  const sign = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [a[key] ?? null, b[key] ?? null];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    if (typeof x === 'number' && typeof y === 'number') return sign * (x - y);
    return sign * String(x).localeCompare(String(y), 'en', { numeric: true });
  });
}
