import Table from 'cli-table3';
import { BadInputError } from '../../../engine/errors.ts';
import type { ReproducedTable, RowProgress } from '../../../engine/tables/table.ts';
import { theoryTable } from '../../../engine/tables/theory-table.ts';
import { cvprTable, iclrTable } from '../../../engine/tables/training-tables.ts';
import {
  causeLines,
  cellText,
  heading,
  tableCsv,
  tableLatex,
  tableMarkdown,
  worded,
} from '../../report/table-forms.ts';
import { printJson, type Terminal } from '../terminal.ts';

export interface TablesFlags {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly markdown?: boolean;
  readonly latex?: boolean;
}

/** `zigzag tables cvpr|iclr|theory`: a paper's table, solved on the spot, paper beside ours. */
export function tablesCommand(which: string, flags: TablesFlags, terminal: Terminal): void {
  const forms = [flags.json, flags.csv, flags.markdown, flags.latex].filter((form) => form === true);
  if (forms.length > 1) throw new BadInputError('give one of --json, --csv, --markdown and --latex');
  const table = reproduce(which, (row, done, total) => {
    if (terminal.progressVisible) terminal.err(`${done + 1}/${total} ${row}`);
  });
  if (flags.json === true) {
    printJson(terminal, {
      ...table,
      rows: table.rows.map((row) => ({ ...row, cause: worded(row['cause']) })),
    });
  } else if (flags.csv === true) terminal.out(tableCsv(table).trimEnd());
  else if (flags.markdown === true) terminal.out(tableMarkdown(table).trimEnd());
  else if (flags.latex === true) terminal.out(tableLatex(table).trimEnd());
  else terminal.out(textTable(table));
}

function reproduce(which: string, progress: RowProgress): ReproducedTable {
  if (which === 'cvpr') return cvprTable(progress);
  if (which === 'iclr') return iclrTable(progress);
  if (which === 'theory') return theoryTable(() => performance.now(), progress);
  throw new BadInputError(`there is no table "${which}"; choose cvpr, iclr or theory`);
}

/** Times and texts are left to the other forms; causes follow below, one a line. */
const NARROW_OUT = new Set(['cause', 'measuredOverheadPct', 'paperRegularTimeS', 'randomDifferencePct']);

function textTable(table: ReproducedTable): string {
  const columns = table.columns.filter((column) => !NARROW_OUT.has(column.key));
  const text = new Table({
    head: columns.map((column) => heading(column).replaceAll(' ', '\n')),
    colAligns: columns.map((_, i) => (i === 0 ? 'left' : 'right')),
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
  });
  for (const row of table.rows) text.push(columns.map((column) => cellText(row[column.key], column)));
  const title = `${table.title} (${table.citation})`;
  return [title, text.toString(), ...table.notes, '', ...causeLines(table)].join('\n');
}
