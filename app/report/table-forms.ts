import type { Cell, Column, ReproducedTable } from '../../engine/tables/table.ts';
import { causesText } from './causes.ts';
import { type CsvCell, csvText } from './csv.ts';

const FROM: Readonly<Record<Column['from'], string>> = { paper: 'paper', ours: 'Zigzag', both: '' };

/** Heading of a column: whose number, then what. */
export function heading(column: Column): string {
  return [FROM[column.from], column.title].filter((part) => part !== '').join(' ');
}

export function cellText(cell: Cell | undefined, column: Column): string {
  return typeof cell === 'number' ? cell.toFixed(column.digits) : String(worded(cell) ?? '');
}

/** A cell as one text or figure. */
export function worded(cell: Cell | undefined): CsvCell {
  return typeof cell === 'object' && cell !== null ? causesText(cell) : (cell ?? null);
}

type CauseInput = Pick<ReproducedTable, 'rows'> & Partial<Pick<ReproducedTable, 'columns'>>;

/** The causes of each row that has some, a line each, under what its first column says. */
export function causeLines({ rows, columns }: CauseInput): string[] {
  const name = columns?.[0]?.key ?? 'network';
  return rows.flatMap((row) => {
    const text = worded(row['cause']);
    return text === null || text === '' ? [] : [`${row[name]}: ${text}`];
  });
}

export function tableCsv({ columns, rows }: Pick<ReproducedTable, 'columns' | 'rows'>): string {
  return csvText([
    columns.map(heading),
    ...rows.map((row) => columns.map((column) => worded(row[column.key]))),
  ]);
}

export function tableMarkdown(table: Omit<ReproducedTable, 'name'>): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const numeric = (column: Column): boolean => table.rows.some((row) => typeof row[column.key] === 'number');
  return [
    `**${table.title}** (${table.citation})`,
    '',
    line(table.columns.map(heading)),
    line(table.columns.map((column) => (numeric(column) ? '---:' : '---'))),
    ...table.rows.map((row) =>
      line(table.columns.map((column) => cellText(row[column.key], column).replaceAll('|', '\\|'))),
    ),
    '',
    ...table.notes.map((note) => `- ${note}`),
    '',
  ].join('\n');
}
