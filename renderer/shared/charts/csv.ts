import { type CsvCell, csvText } from '../../../app/report/csv.ts';

/** What a chart shows, as numbers: the source of its CSV and of the table for screen readers. */
export interface ChartTable {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly CsvCell[])[];
}

/** With a header line. */
export const toCsv = ({ columns, rows }: ChartTable): string => csvText([columns, ...rows]);
