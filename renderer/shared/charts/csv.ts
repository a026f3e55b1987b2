import { type CsvCell, csvText } from '../../../app/report/csv.ts';

export interface ChartTable {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly CsvCell[])[];
}

export const toCsv = ({ columns, rows }: ChartTable): string => csvText([columns, ...rows]);
