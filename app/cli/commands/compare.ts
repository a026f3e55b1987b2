import Table from 'cli-table3';
import { tournamentCsv } from '../../../engine/comparison/tournament.ts';
import { BadInputError, InfeasibleError } from '../../../engine/errors.ts';
import type { MilpSolver } from '../../../engine/strategies/milp/milp-solver.ts';
import { STRATEGIES } from '../../../engine/strategies/registry.ts';
import { judgePlan } from '../../../engine/strategies/solve.ts';
import type { StrategyOptions } from '../../../engine/strategies/strategy.ts';
import { bytes, count, milliseconds, percent } from '../format.ts';
import { type LoadedNetwork, loadNetwork } from '../load.ts';
import { headOf, type SolvedRow, solveTimed, timedRow } from '../rows.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { textZigzag } from '../text-zigzag.ts';
import { type StrategyFlags, strategyOptions } from './solve.ts';

export interface CompareFlags extends StrategyFlags {
  readonly csv?: boolean;
}

/** A comparison waits no longer for the exact search of a small graph; `solve --strategy milp` does. */
const EXACT_SECONDS = 2;

/** Strategies that only make sense with an option of their own are compared when it is given. */
function comparable(flags: StrategyFlags): string[] {
  return STRATEGIES.map((strategy) => strategy.name).filter((name) => {
    if (name === 'manual') return flags.checkpoints !== undefined;
    if (name === 'plan') return flags.plan !== undefined;
    if (name === 'budget') return flags.budget !== undefined;
    return true;
  });
}

/** `zigzag compare MODEL|FILE`: every strategy, one table and a text zigzag. */
export function compareCommand(
  target: string,
  flags: CompareFlags,
  terminal: Terminal,
  milpSolver?: MilpSolver,
): void {
  if (flags.csv === true && flags.json === true) throw new BadInputError('give one of --json and --csv');
  const options = { timeLimitSeconds: EXACT_SECONDS, ...strategyOptions(flags, milpSolver) };
  const network = loadNetwork(target, flags);
  const head = headOf(network);
  const rows: SolvedRow[] = [];
  for (const name of comparable(flags)) {
    if (terminal.progressVisible && flags.json !== true) terminal.err(`solving ${name} ...`);
    rows.push(withoutInfeasible(network, name, options));
  }
  if (flags.json === true) {
    printJson(terminal, { ...head, rows: rows.map((row) => row.json) });
    return;
  }
  if (flags.csv === true) {
    const lines = rows.map(({ json }) => ({
      ...json,
      checkpoints: json.applicable ? json.checkpoints.length : null,
    }));
    terminal.out(tournamentCsv(head, lines).trimEnd());
    return;
  }
  terminal.out(
    `${head.model}, batch ${count(head.batch)}` +
      `${head.input > 0 ? `, input ${head.input}x${head.input}` : ''}, profile ${head.profile}: ` +
      `${count(head.vertices)} operations, ${count(head.parameters)} parameters, ` +
      `${bytes(head.savedBytes)} kept for backward, ${bytes(head.stationaryBytes)} stationary`,
  );
  terminal.out(tableOf(head.regularPeakBytes, rows));
  for (const row of rows) zigzagOf(row, head.regularPeakBytes, terminal);
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
