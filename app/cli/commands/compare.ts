import Table from 'cli-table3';
import { BadInputError } from '../../../engine/errors.ts';
import { savedText } from '../../report/claims.ts';
import { comparisonCsv } from '../../report/comparison-csv.ts';
import { type Report, reportHtml } from '../../report/report.ts';
import { type Compared, compared, costsText, type JsonHead, type SolvedRow } from '../compared.ts';
import { reportOf } from '../compare-report.ts';
import { sizeText } from '../../report/words.ts';
import { bytes, count, milliseconds, percent } from '../format.ts';
import { type NetworkFlags, openNetwork } from '../network.ts';
import { type SweepFlags, sweepPlan } from '../sweep/plan.ts';
import { allRows, printForm } from './sweep.ts';
import { flagsThatChange, refuseFlags } from '../command-options.ts';
import { linkText } from '../link.ts';
import { answerable, EVERY_STRATEGY } from '../strategies.ts';
import { requireWritable, writeOutput } from '../output-file.ts';
import { plainName } from '../plain-text.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { segmentsRun } from '../segments-run.ts';
import { textZigzag } from '../text-zigzag.ts';

export interface CompareFlags extends NetworkFlags {
  readonly csv?: boolean;
  /** File for the report. */
  readonly html?: string;
  readonly all?: boolean;
}

/** `zigzag compare MODEL|FILE…`: every strategy, one table and a text zigzag; of several networks one matrix. */
export async function compareCommand(
  targets: readonly string[],
  flags: CompareFlags,
  terminal: Terminal,
): Promise<void> {
  if (flags.csv === true && flags.json === true) throw new BadInputError('give one of --json and --csv');
  // A name that is wrong is said before anything is solved.
  if (flags.html !== undefined) requireWritable(flags.html, '--html');
  if (flags.all === true) {
    refuseWithAll(flags);
    const plan = sweepPlan(targets.length === 0 ? ['zoo'] : targets, { ...flags, ...batchesOf(flags) });
    printForm(await allRows(plan, terminal, flags, EVERY_STRATEGY), plan, flags, terminal);
    return;
  }
  if (targets.length === 0) throw new BadInputError('name a network or a file to compare, or give --all');
  const networks = targets.map((target) => openNetwork('compare', target, flags, EVERY_STRATEGY));
  const results: Compared[] = [];
  for (const asked of networks) {
    const say = (strategy: string): void => {
      if (terminal.progressVisible && flags.json !== true) {
        terminal.err(`solving ${strategy} on ${asked.title} ...`);
      }
    };
    results.push(await compared(asked, answerable(asked), say));
  }
  if (flags.html !== undefined)
    writeReport(flags.html, reportOf(results, targets, flags, new Date()), terminal);
  const [only, ...others] = results;
  if (only === undefined) return;
  if (flags.json === true) {
    const documents = results.map(({ head, rows }) => ({ ...head, rows: rows.map((row) => row.json) }));
    printJson(terminal, others.length === 0 ? documents[0] : { networks: documents });
    return;
  }
  if (flags.csv === true) {
    terminal.out(csvOf(results));
    return;
  }
  for (const { head } of results) terminal.out(factsOf(head));
  if (others.length > 0) {
    terminal.out(matrixOf(results));
    return;
  }
  terminal.out(tableOf(only.head, only.rows));
  const rows = only.rows.map(({ json }) => json);
  for (const line of segmentsRun(only.network.checkpointing, rows)) terminal.out(line);
  for (const row of only.rows) zigzagOf(row, only.head.regularPeakBytes, terminal);
}

/** Options that apply to one network only. */
const OF_ONE = ['checkpoints', 'plan', 'costs'] as const;

/** @throws BadInputError for an option that would change nothing */
function refuseWithAll(flags: CompareFlags): void {
  refuseFlags(flags, flagsThatChange('memory'), 'changes no cell of --all');
  const given = OF_ONE.find((name) => flags[name] !== undefined);
  if (given !== undefined)
    throw new BadInputError(`--${given} is for one network and strategy; leave it out with --all`);
}

const batchesOf = ({ batch, budget }: CompareFlags): SweepFlags => ({
  ...(batch === undefined ? {} : { batches: batch }),
  ...(budget === undefined ? {} : { budgets: budget }),
});

function factsOf(head: JsonHead): string {
  const size = sizeText(head);
  return (
    `${plainName(head.model)}, batch ${count(head.batch)}` +
    `${size === null ? '' : `, ${size}`}, profile ${head.profile}: ` +
    `${count(head.vertices)} operations, ${count(head.parameters)} parameters, ` +
    `${bytes(head.savedBytes)} kept for backward, ${bytes(head.stationaryBytes)} stationary` +
    (head.costs === undefined ? '' : `\ncosts: ${costsText(head.costs)}`) +
    (head.link === undefined ? '' : `\nlink: ${linkText(head.link)}`) +
    (head.notices ?? []).map((notice) => `\nof the file: ${plainName(notice)}`).join('')
  );
}

function csvOf(results: readonly Compared[]): string {
  const networks = results.map(({ head, rows }) => ({
    head,
    rows: rows.map(({ json }) => ({
      ...json,
      checkpoints: json.applicable ? json.checkpoints.length : null,
    })),
  }));
  return comparisonCsv(networks).trimEnd();
}

/** Peaks and what they save: one row a strategy that applies to any of them, one column a network. */
function matrixOf(networks: readonly Compared[]): string {
  const table = new Table({
    head: ['strategy', ...networks.map(({ head }) => plainName(head.model))],
    colAligns: ['left', ...networks.map((): 'right' => 'right')],
    style: { head: [], border: [], compact: true },
  });
  for (const { json } of networks[0]?.rows ?? []) {
    const found = networks.map(({ rows }) => rows.find((row) => row.json.strategy === json.strategy));
    if (found.every((row) => row?.json.peakBytes == null)) continue;
    const cells = networks.map(({ head }, i) => {
      const peak = found[i]?.json.peakBytes ?? null;
      if (peak === null) return '';
      if (json.strategy === 'regular') return bytes(peak);
      const saved = savedText(1 - peak / head.regularPeakBytes, found[i]?.savesNothing === true);
      return `${bytes(peak)} (${saved})`;
    });
    table.push([json.strategy, ...cells]);
  }
  return table.toString();
}

function writeReport(file: string, report: Report, terminal: Terminal): void {
  writeOutput(file, reportHtml(report), '--html');
  terminal.err(`report written to ${file}`);
}

/** With a link, how long a step is predicted to take is a column of its own. */
function tableOf({ regularPeakBytes, link }: JsonHead, rows: readonly SolvedRow[]): string {
  const step = link === undefined ? [] : ['step'];
  const table = new Table({
    head: [
      'strategy',
      'needs',
      'peak',
      'less',
      'bound',
      'Eq. 2',
      'checkpoints',
      'recompute',
      'time (predicted)',
      ...step,
      'solved in',
    ],
    colAligns: ['left', ...new Array<'right'>(9 + step.length).fill('right')],
    style: { head: [], border: [], compact: true },
  });
  for (const { json, savesNothing } of rows) {
    if (!json.applicable || json.peakBytes === null) {
      table.push([
        json.strategy,
        {
          colSpan: 9 + step.length,
          content: `not applicable: ${plainName(json.reason ?? '')}`,
          hAlign: 'left',
        },
      ]);
      continue;
    }
    table.push([
      json.strategy,
      bytes(json.needsBytes ?? 0),
      bytes(json.peakBytes),
      savedText(1 - json.peakBytes / regularPeakBytes, savesNothing),
      bytes(json.lowerBoundBytes ?? 0),
      json.paperCostBytes === null ? '' : bytes(json.paperCostBytes),
      count(json.checkpoints.length),
      percent(json.recomputeFraction ?? 0),
      `+${percent(json.predictedOverhead ?? 0)}`,
      ...step.map(() => (json.stepSeconds === undefined ? '' : milliseconds(1000 * json.stepSeconds))),
      milliseconds(json.solveMs),
    ]);
  }
  return table.toString();
}

function zigzagOf({ json, live }: SolvedRow, top: number, terminal: Terminal): void {
  if (live.length === 0) return;
  terminal.out(`\n${json.strategy}`);
  const width = Math.max(40, Math.min(100, terminal.columns - 12));
  for (const line of textZigzag(live, Math.max(top, json.peakBytes ?? 0), width, 5)) {
    terminal.out(line);
  }
}
