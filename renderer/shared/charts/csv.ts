/** What a chart shows, as numbers: the source of its CSV and of the table for screen readers. */
export interface ChartTable {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

function field(value: string | number | null): string {
  if (value === null) return '';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** RFC 4180, with CRLF and a header line. */
export function toCsv(table: ChartTable): string {
  return [table.columns, ...table.rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}
