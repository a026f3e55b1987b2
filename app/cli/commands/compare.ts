import { writeFileSync } from 'node:fs';
import Table from 'cli-table3';
import { BadInputError, InfeasibleError } from '../../../engine/errors.ts';
import type { MilpSolver } from '../../../engine/strategies/milp/milp-solver.ts';
import { STRATEGIES } from '../../../engine/strategies/registry.ts';
import { judgePlan } from '../../../engine/strategies/solve.ts';
import { isTold, type StrategyOptions } from '../../../engine/strategies/strategy.ts';
import { comparisonCsv } from '../../report/comparison-csv.ts';
import { reportHtml } from '../../report/report.ts';
import { type ComparedNetwork, reportOf } from '../compare-report.ts';
import { bytes, count, milliseconds, percent } from '../format.ts';
import { type LoadedNetwork, loadNetwork } from '../load.ts';
import { costsText, headOf, type JsonHead, type SolvedRow, solveTimed, timedRow } from '../rows.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { textZigzag } from '../text-zigzag.ts';
import { type StrategyFlags, strategyOptions } from './solve.ts';

export interface CompareFlags extends StrategyFlags {
  readonly csv?: boolean;
  /** File for the report. */
  readonly html?: string;
}

/** A comparison waits no longer for the exact search of a small graph; `solve --strategy milp` does. */
const EXACT_SECONDS = 2;

/** `zigzag compare MODEL|FILE…`: every strategy, one table and a text zigzag; of several networks one matrix. */
export function compareCommand(
  targets: readonly string[],
  flags: CompareFlags,
  terminal: Terminal,
  milpSolver?: MilpSolver,
): void {
  if (flags.csv === true && flags.json === true) throw new BadInputError('give one of --json and --csv');
  const options = { timeLimitSeconds: EXACT_SECONDS, ...strategyOptions(flags, milpSolver) };
  // Strategies that only make sense with an option of their own are compared when it is given.
  const names = STRATEGIES.filter((strategy) => isTold(strategy, options)).map(({ name }) => name);
  // A name that is wrong is said before anything is solved.
  const compared = targets
    .map((target) => loadNetwork(target, flags))
    .map((network) => solveAll(network, names, options, flags, terminal));
  if (flags.html !== undefined) writeReport(flags.html, compared, flags, terminal);
  const [only, ...others] = compared;
  if (only === undefined) throw new BadInputError('name a network or a file to compare');
  if (flags.json === true) {
    const documents = compared.map(({ head, rows }) => ({ ...head, rows: rows.map((row) => row.json) }));
    printJson(terminal, others.length === 0 ? documents[0] : { networks: documents });
    return;
  }
  if (flags.csv === true) {
    terminal.out(csvOf(compared));
    return;
  }
  for (const { head } of compared) terminal.out(factsOf(head));
  if (others.length > 0) {
    terminal.out(matrixOf(compared));
    return;
  }
  terminal.out(tableOf(only.head.regularPeakBytes, only.rows));
  for (const row of only.rows) zigzagOf(row, only.head.regularPeakBytes, terminal);
}

function solveAll(
  network: LoadedNetwork,
  strategies: readonly string[],
  options: StrategyOptions,
  flags: CompareFlags,
  terminal: Terminal,
): ComparedNetwork {
  const rows = strategies.map((name) => {
    if (terminal.progressVisible && flags.json !== true) {
      terminal.err(`solving ${name} on ${network.model} ...`);
    }
    return withoutInfeasible(network, name, options);
  });
  return { head: headOf(network), rows };
}

function factsOf(head: JsonHead): string {
  return (
    `${head.model}, batch ${count(head.batch)}` +
    `${head.input > 0 ? `, input ${head.input}x${head.input}` : ''}, profile ${head.profile}: ` +
    `${count(head.vertices)} operations, ${count(head.parameters)} parameters, ` +
    `${bytes(head.savedBytes)} kept for backward, ${bytes(head.stationaryBytes)} stationary` +
    (head.costs === undefined ? '' : `\ncosts: ${costsText(head.costs)}`)
  );
}

function csvOf(compared: readonly ComparedNetwork[]): string {
  const networks = compared.map(({ head, rows }) => ({
    head,
    rows: rows.map(({ json }) => ({
      ...json,
      checkpoints: json.applicable ? json.checkpoints.length : null,
    })),
  }));
  return comparisonCsv(networks).trimEnd();
}

/** Peaks and what they save: one row a strategy that applies to any of them, one column a network. */
function matrixOf(compared: readonly ComparedNetwork[]): string {
  const table = new Table({
    head: ['strategy', ...compared.map(({ head }) => head.model)],
    colAligns: ['left', ...compared.map((): 'right' => 'right')],
    style: { head: [], border: [], compact: true },
  });
  for (const { json } of compared[0]?.rows ?? []) {
    const peaks = compared.map(
      ({ rows }) => rows.find((row) => row.json.strategy === json.strategy)?.json.peakBytes,
    );
    if (peaks.every((peak) => peak == null)) continue;
    const cells = compared.map(({ head }, i) => {
      const peak = peaks[i] ?? null;
      if (peak === null) return '';
      const saved = json.strategy === 'regular' ? '' : ` (${percent(1 - peak / head.regularPeakBytes)})`;
      return bytes(peak) + saved;
    });
    table.push([json.strategy, ...cells]);
  }
  return table.toString();
}

function writeReport(
  file: string,
  compared: readonly ComparedNetwork[],
  flags: CompareFlags,
  terminal: Terminal,
): void {
  try {
    writeFileSync(file, reportHtml(reportOf(compared, flags, new Date())));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BadInputError(`--html: the report cannot be written: ${reason}`);
  }
  terminal.err(`report written to ${file}`);
}

/** An infeasible budget is one row's answer, not the end of the comparison. */
function withoutInfeasible(network: LoadedNetwork, name: string, options: StrategyOptions): SolvedRow {
  try {
    return solveTimed(network, name, options);
  } catch (error) {
    if (!(error instanceof InfeasibleError)) throw error;
    const refusal = { applicable: false, reason: error.message } as const;
    return timedRow(judgePlan(network.problem, name, refusal), 0);
  }
}

function tableOf(regularPeak: number, rows: readonly SolvedRow[]): string {
  const table = new Table({
    head: [
      'strategy',
      'peak',
      'less',
      'bound',
      'Eq. 2',
      'checkpoints',
      'recompute',
      'time (predicted)',
      'solved in',
    ],
    colAligns: ['left', ...new Array<'right'>(8).fill('right')],
    style: { head: [], border: [], compact: true },
  });
  for (const { json } of rows) {
    if (!json.applicable || json.peakBytes === null) {
      table.push([
        json.strategy,
        { colSpan: 8, content: `not applicable: ${json.reason ?? ''}`, hAlign: 'left' },
      ]);
      continue;
    }
    table.push([
      json.strategy,
      bytes(json.peakBytes),
      percent(1 - json.peakBytes / regularPeak),
      bytes(json.lowerBoundBytes),
      json.paperCostBytes === null ? '' : bytes(json.paperCostBytes),
      count(json.checkpoints.length),
      percent(json.recomputeFraction ?? 0),
      `+${percent(json.predictedOverhead ?? 0)}`,
      milliseconds(json.solveMs),
    ]);
  }
  return table.toString();
}

function zigzagOf({ json, solved }: SolvedRow, top: number, terminal: Terminal): void {
  if (solved.timeline === null) return;
  terminal.out(`\n${json.strategy}`);
  const width = Math.max(40, Math.min(100, terminal.columns - 12));
  for (const line of textZigzag(solved.timeline.live, Math.max(top, json.peakBytes ?? 0), width, 5)) {
    terminal.out(line);
  }
}
