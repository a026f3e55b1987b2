import type { Cell, Column, ReproducedTable, TableRow } from '../../engine/tables/table.ts';
import { isModelName, modelInfo } from '../../engine/zoo/zoo.ts';
import { ZIGZAG_KEY } from './bibtex.ts';
import { LATEX_LAYOUTS, type LatexCell, type LatexGroup, MEASURED_GROUPS } from './latex-layouts.ts';
import { latexText } from './latex-text.ts';
import { causeLines, cellText } from './table-forms.ts';

/** Not applicable, not printed or not measured, as the papers set it. */
const NOTHING = '--';

interface Drawn {
  readonly table: ReproducedTable;
  readonly groups: readonly LatexGroup[];
  readonly caption: string;
  readonly label: string;
  readonly notes: readonly string[];
}

/**
 * The table as its paper prints it, with booktabs: columns in groups, ours beside the paper's, networks in sections,
 * the least memory of each in bold, notes below. Causes are comments, where they have room. ASCII.
 */
export function tableLatex(table: ReproducedTable): string {
  const { name, title, citation } = table;
  const { groups, cites, unsaid } = LATEX_LAYOUTS[name];
  const ours = `Zigzag~\\cite{${ZIGZAG_KEY}}`;
  const main: Drawn = {
    table,
    groups: shownGroups(groups, table),
    caption: `${latexText(title)}: ${latexText(citation)}~\\cite{${cites}}, and ${ours}.`,
    label: `tab:zigzag-${name}`,
    notes: table.notes
      .map((note) => (unsaid === undefined ? note : note.replace(unsaid, '')))
      .filter(Boolean),
  };
  const device = shownGroups(MEASURED_GROUPS, table);
  const measured: Drawn = {
    table,
    groups: device,
    caption: `${latexText(title)}: measured, beside the prediction for the same plan by ${ours}.`,
    label: `tab:zigzag-${name}-measured`,
    notes: [`Device: ${deviceOf(table)}.`],
  };
  return [
    '% In the preamble: \\usepackage{booktabs,amssymb}. The sources that it cites: zigzag cite > zigzag.bib',
    ...tableLines(main),
    ...(device.length === 0 ? [] : ['', ...tableLines(measured)]),
    ...causeLines(table).map((line) => `% ${line.replaceAll(/[^ -~]/gu, latexText)}`),
    '',
  ].join('\n');
}

/** Device name from the titles of the `--measured` columns. */
function deviceOf({ columns }: ReproducedTable): string {
  const title = columns.find(({ key }) => key === 'deviceBatch')?.title ?? '';
  return title.slice(title.indexOf(', ') + 2);
}

/** Groups that the table has, without columns in which nothing was measured. */
function shownGroups(groups: readonly LatexGroup[], { columns, rows }: ReproducedTable): LatexGroup[] {
  const isShown = ({ key }: LatexCell): boolean =>
    columns.some((column) => column.key === key) &&
    (!/^(?:measured|device)/.test(key) || rows.some((row) => row[key] !== null && row[key] !== undefined));
  return groups
    .map(({ title, cells }) => ({ title, cells: cells.filter(isShown) }))
    .filter(({ cells }) => cells.length > 0);
}

function tableLines({ table, groups, caption, label, notes }: Drawn): string[] {
  const { first, gap = 3, size = 'footnotesize' } = LATEX_LAYOUTS[table.name];
  const aligned = groups.flatMap(({ cells }) => cells.map(({ key }) => alignment(table, key)));
  return [
    '\\begin{table*}[t]',
    '\\centering',
    `\\caption{${caption}}`,
    `\\label{${label}}`,
    `\\${size}`,
    `\\setlength{\\tabcolsep}{${gap}pt}`,
    `\\begin{tabular}{@{}l${aligned.join('')}@{}}`,
    '\\toprule',
    ...headLines(first, groups),
    ...sectionLines(table, groups),
    '\\bottomrule',
    '\\end{tabular}',
    '',
    '\\smallskip',
    '\\begin{minipage}{\\linewidth}',
    '\\footnotesize\\raggedright',
    ...notes.map((note) => `${latexText(note)}\\par`),
    '\\end{minipage}',
    '\\end{table*}',
  ];
}

/** Figures to the right; texts to the left, single signs in the middle. */
function alignment({ rows }: ReproducedTable, key: string): 'l' | 'c' | 'r' {
  const texts = rows.flatMap((row) => (typeof row[key] === 'string' ? [row[key]] : []));
  if (texts.length === 0 || rows.some((row) => typeof row[key] === 'number')) return 'r';
  return texts.every((text) => /^[✓✗]/.test(text)) ? 'c' : 'l';
}

/** The groups, a rule under each of several columns, and what each column is. */
function headLines(first: string, groups: readonly LatexGroup[]): string[] {
  let column = 1;
  const rules: string[] = [];
  const over = groups.map(({ title, cells }) => {
    const from = column + 1;
    column += cells.length;
    if (cells.length > 1) rules.push(`\\cmidrule(lr){${from}-${column}}`);
    return `\\multicolumn{${cells.length}}{c}{${latexText(title)}}`;
  });
  const under = groups.flatMap(({ cells }) =>
    cells.map(({ title }) => `\\multicolumn{1}{c}{${latexText(title)}}`),
  );
  return [` & ${over.join(' & ')} \\\\`, rules.join(' '), `${latexText(first)} & ${under.join(' & ')} \\\\`];
}

/** Rows, of networks under whether the papers' graph of them is linear, as both papers divide their tables. */
function sectionLines(table: ReproducedTable, groups: readonly LatexGroup[]): string[] {
  const cells = groups.flatMap((group) => group.cells);
  const columns = new Map(table.columns.map((column) => [column.key, column]));
  const [name] = table.columns;
  const line = (row: TableRow): string => {
    const bold = leastOf(row, table, columns);
    const texts = cells.map((cell) => {
      const text = written(row[cell.key], columns.get(cell.key), cell.digits);
      return bold.has(cell.key) ? `\\textbf{${text}}` : text;
    });
    return `${rowName(row, name)} & ${texts.join(' & ')} \\\\`;
  };
  const isOfZoo = table.rows.every((row) => isModelName(String(row['network'])));
  if (!isOfZoo) return ['\\midrule', ...table.rows.map(line)];
  const isLinear = (row: TableRow): boolean => modelInfo(String(row['network'])).linear;
  return [
    { title: 'Linear network', rows: table.rows.filter(isLinear) },
    { title: 'Non-linear network', rows: table.rows.filter((row) => !isLinear(row)) },
  ].flatMap(({ title, rows }) =>
    rows.length === 0
      ? []
      : ['\\midrule', `\\multicolumn{${cells.length + 1}}{@{}l}{\\emph{${title}}} \\\\`, ...rows.map(line)],
  );
}

function rowName(row: TableRow, column: Column | undefined): string {
  const name = String(row[column?.key ?? 'network'] ?? '');
  if (!isModelName(name)) return latexText(name);
  const { title } = modelInfo(name);
  const batch = row['batch'];
  return latexText(typeof batch === 'number' ? `${title}, batch ${batch}` : title);
}

/** The keys of the least figures, as they are shown; equal ones all. */
function leastOf(
  row: TableRow,
  { name }: ReproducedTable,
  columns: ReadonlyMap<string, Column>,
): ReadonlySet<string> {
  const shown = (key: string): number => {
    const value = row[key];
    return typeof value === 'number' ? Number(value.toFixed(columns.get(key)?.digits ?? 0)) : Number.NaN;
  };
  return new Set(
    (LATEX_LAYOUTS[name].least ?? []).flatMap((keys) => {
      const least = Math.min(...keys.map(shown).filter(Number.isFinite));
      return keys.filter((key) => shown(key) === least);
    }),
  );
}

function written(cell: Cell | undefined, column: Column | undefined, digits?: number): string {
  if (column === undefined || cell === null || cell === undefined || cell === '') return NOTHING;
  const text = cellText(cell, digits === undefined ? column : { ...column, digits });
  return typeof cell === 'number' && text.startsWith('-') ? `$${text}$` : latexText(text);
}
