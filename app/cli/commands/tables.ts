import Table from 'cli-table3';
import { BadInputError, InternalError } from '../../../engine/errors.ts';
import { NO_CONTROL } from '../../../engine/strategies/strategy/strategy.ts';
import { type MeasuredColumns, withColumns } from '../../../engine/tables/measured.ts';
import {
  type ReproducedTable,
  TABLE_NAMES,
  type TableHead,
  type TableName,
  type TableRow,
} from '../../../engine/tables/table.ts';
import { Solver } from '../../../main/solver/solver.ts';
import { causesJson } from '../../report/causes.ts';
import { tableLatex } from '../../report/latex-table.ts';
import { selfTestTable } from '../../report/self-test-table.ts';
import { causeLines, cellText, heading, tableCsv, tableMarkdown, worded } from '../../report/table-forms.ts';
import { fileSource } from '../../bridges/file-source.ts';
import { jsonText } from '../../bridges/json-guard.ts';
import { readMeasurements } from '../../contract/measurements.ts';
import { readSelfTest } from '../../contract/self-test.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { MAX_MEASUREMENTS_BYTES } from '../../../engine/exchange/read-limits.ts';

export interface TablesFlags {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly markdown?: boolean;
  readonly latex?: boolean;
  readonly measured?: string;
}

/** `zigzag tables NAME`: a paper's table, solved on the spot, paper beside ours; `measured FILE` shows a self-test. */
export async function tablesCommand(
  which: string,
  flags: TablesFlags,
  terminal: Terminal,
  file?: string,
): Promise<void> {
  const forms = [flags.json, flags.csv, flags.markdown, flags.latex].filter((form) => form === true);
  if (forms.length > 1) throw new BadInputError('give one of --json, --csv, --markdown and --latex');
  if (which === 'measured') {
    showSelfTest(file, flags, terminal);
    return;
  }
  if (file !== undefined)
    throw new BadInputError(`the table ${which} takes no file; a self-test is shown by "measured"`);
  const measured = flags.measured === undefined ? null : await measuredOf(which, flags.measured);
  const solved = await reproduce(which, (progress) => {
    if (terminal.progressVisible) terminal.err(progress);
  });
  const table = measured === null ? solved : withColumns(solved, measured);
  if (flags.json === true) {
    printJson(terminal, {
      ...table,
      rows: table.rows.map((row) => jsonRow(table.name, row)),
    });
  } else if (flags.latex === true) terminal.out(tableLatex(table).trimEnd());
  else printTable(table, flags, terminal);
}

function printTable(table: Omit<ReproducedTable, 'name'>, flags: TablesFlags, terminal: Terminal): void {
  if (flags.csv === true) terminal.out(tableCsv(table).trimEnd());
  else if (flags.markdown === true) terminal.out(tableMarkdown(table).trimEnd());
  else terminal.out(textTable(table));
}

/** @throws BadInputError in one sentence that starts with the path */
function showSelfTest(path: string | undefined, flags: TablesFlags, terminal: Terminal): void {
  if (path === undefined)
    throw new BadInputError(
      'name the file that "python zigzag_torch.py selftest" wrote: zigzag tables measured FILE',
    );
  if (flags.latex === true || flags.measured !== undefined)
    throw new BadInputError('the table measured takes --json, --csv or --markdown');
  const table = selfTestTable(readIn(path, readSelfTest));
  if (flags.json === true) printJson(terminal, { name: 'measured', ...table });
  else printTable(table, flags, terminal);
}

/** @throws BadInputError in one sentence that starts with the path */
function readIn<Read>(path: string, read: (text: string) => Read): Read {
  try {
    const source = fileSource(path);
    try {
      return read(
        jsonText(source, MAX_MEASUREMENTS_BYTES, 'the file is larger than any file of measurements'),
      );
    } finally {
      source.close();
    }
  } catch (error) {
    throw error instanceof BadInputError ? new BadInputError(`${path}: ${error.message}`) : error;
  }
}

const CHOICE = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(TABLE_NAMES);

/** @throws BadInputError in one sentence that starts with the path */
async function measuredOf(which: string, path: string): Promise<MeasuredColumns> {
  if (which !== 'cvpr') throw new BadInputError('--measured is for the table cvpr');
  try {
    const file = readIn(path, readMeasurements);
    return await new Solver().answer('measuredColumns', file, NO_CONTROL, () => undefined);
  } catch (error) {
    throw error instanceof BadInputError ? new BadInputError(`--measured ${error.message}`) : error;
  }
}

/** Causes as a text and, of the tables of memory, as data. */
function jsonRow(table: TableName, row: TableRow): object {
  const { cause } = row;
  if (cause === undefined) return row;
  const isData = table !== 'theory' && Array.isArray(cause);
  return { ...row, cause: worded(cause), ...(isData ? causesJson(cause) : {}) };
}

async function reproduce(which: string, say: (progress: string) => void): Promise<ReproducedTable> {
  const name = TABLE_NAMES.find((known) => known === which);
  if (name === undefined) throw new BadInputError(`there is no table "${which}"; choose ${CHOICE}`);
  let head: TableHead | null = null;
  let networks: readonly string[] = [];
  const rows: TableRow[] = [];
  await new Solver().answer('table', { name }, NO_CONTROL, (event) => {
    if (event.type === 'head') ({ head, networks } = event);
    else rows.push(event.row);
    if (rows.length < networks.length) say(`${rows.length + 1}/${networks.length} ${networks[rows.length]}`);
  });
  if (head === null) throw new InternalError('a table has no head');
  return { ...(head as TableHead), rows };
}

/** Times and texts are left to the other forms; causes follow below, one a line. */
const NARROW_OUT = new Set([
  'cause',
  'command',
  'measuredOverheadPct',
  'paperRegularTimeS',
  'randomDifferencePct',
]);

function textTable(table: Omit<ReproducedTable, 'name'>): string {
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
