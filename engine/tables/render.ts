import type { Cell, Column, ReproducedTable } from './table.ts';

const FROM: Readonly<Record<Column['from'], string>> = { paper: 'paper', ours: 'Zigzag', both: '' };

/** Heading of a column: whose number, then what. */
export function heading(column: Column): string {
  return [FROM[column.from], column.title].filter((part) => part !== '').join(' ');
}

export function cellText(cell: Cell | undefined, column: Column): string {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'number' ? cell.toFixed(column.digits) : cell;
}

/** RFC 4180; numbers unrounded, so that a spreadsheet can go on from them. */
export function tableCsv(table: ReproducedTable): string {
  const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [table.columns.map((column) => quote(heading(column)))];
  for (const row of table.rows) {
    lines.push(table.columns.map((column) => quote(String(row[column.key] ?? ''))));
  }
  return `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`;
}

export function tableMarkdown(table: ReproducedTable): string {
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

/** A booktabs tabular inside a table environment; causes become notes below, where they have room. */
export function tableLatex(table: ReproducedTable): string {
  const shown = table.columns.filter((column) => column.key !== 'cause');
  const cells = (texts: readonly string[]): string => `${texts.map(escapeLatex).join(' & ')} \\\\`;
  const causes = table.rows.filter((row) => (row['cause'] ?? '') !== '');
  return [
    '% needs \\usepackage{booktabs}',
    '\\begin{table}',
    `\\caption{${escapeLatex(`${table.title}: ${table.citation}, and Zigzag`)}}`,
    `\\begin{tabular}{l${'r'.repeat(shown.length - 1)}}`,
    '\\toprule',
    cells(shown.map(heading)),
    '\\midrule',
    ...table.rows.map((row) => cells(shown.map((column) => cellText(row[column.key], column)))),
    '\\bottomrule',
    '\\end{tabular}',
    ...table.notes.map((note) => `\\par\\footnotesize ${escapeLatex(note)}`),
    ...causes.map((row) => `% ${row['network']}: ${row['cause']}`),
    '\\end{table}',
    '',
  ].join('\n');
}

const LATEX: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '√': '$\\surd$',
  '×': '$\\times$',
  '−': '$-$',
  '±': '$\\pm$',
};

/** In one pass, so that nothing is escaped twice. */
function escapeLatex(text: string): string {
  return text.replace(/[\\~^<>√×−±]|[&%$#_{}]/g, (sign) => LATEX[sign] ?? `\\${sign}`);
}
