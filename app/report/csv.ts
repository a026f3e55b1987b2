export type CsvCell = string | number | null;

/**
 * RFC 4180, CRLF after every line; numbers unrounded, so that a spreadsheet can go on from them. A text that a
 * spreadsheet would run as a formula gets an apostrophe in front, which spreadsheets show it by: names come from files.
 */
export function csvText(lines: readonly (readonly CsvCell[])[]): string {
  return lines.map((line) => `${line.map(field).join(',')}\r\n`).join('');
}

/** Beginnings of a formula, in ASCII and at full width, after what spreadsheets skip. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

function field(cell: CsvCell): string {
  const text =
    typeof cell === 'string' && FORMULA.test(cell) && !isFigure(cell) ? `'${cell}` : String(cell ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A number as it is written, `-1.5`, is none. */
const isFigure = (text: string): boolean => /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text);
