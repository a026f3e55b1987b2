import type { ReproducedTable, TableRow } from '../../../../engine/tables/table.ts';
import { type Measured, sayMeasured } from '../state/measure.ts';
import { type Sorting, sortRows } from '../state/sort.ts';
import type { TableProgress } from '../state/tables-store.ts';

export interface ExportInput {
  readonly table: Pick<TableProgress, 'head'>;
  readonly rows: readonly TableRow[];
  readonly sorting: Sorting | null;
  readonly measured: ReadonlyMap<string, Measured>;
}

export function exportedTable({ table, rows, sorting, measured }: ExportInput): ReproducedTable | null {
  if (table.head === null || rows.length === 0) return null;
  const notes = [...measured].map(([network, found]) => `${network}: ${sayMeasured(found)}`);
  return { ...table.head, notes: [...table.head.notes, ...notes], rows: sortRows(rows, sorting) };
}
