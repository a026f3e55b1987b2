export type CsvCell = string | number | null;

/** RFC 4180, CRLF after every line; numbers unrounded, so that a spreadsheet can go on from them. */
export function csvText(lines: readonly (readonly CsvCell[])[]): string {
  return lines.map((line) => `${line.map(field).join(',')}\r\n`).join('');
}

function field(cell: CsvCell): string {
  const text = cell === null ? '' : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
