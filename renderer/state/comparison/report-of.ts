import { withoutEffect } from '../../../app/contract/setup-notes.ts';
import { commandLine } from '../../../app/report/command-line.ts';
import { type ComparedNetwork, comparisonReport } from '../../../app/report/comparison-report.ts';
import type { StrategyInfo } from '../../../app/contract/results.ts';
import { passCurve } from '../../../app/report/curve.ts';
import type { Report, ReportStrategy } from '../../../app/report/report.ts';
import type { Experiment } from '../../../app/contract/experiment.ts';
import { isFileNetwork } from '../../../app/contract/opened-file.ts';
import { InternalError } from '../../../engine/errors.ts';
import { keyOf, type NetworkResults } from './comparison.ts';
import { type MatrixInput, type NetworkRow, networkRows } from './networks-matrix.ts';
import { frontRow, type StrategyRow, strategyRows, withLeftBudget } from './rows.ts';
import type { MeasuredOverhead } from '../strategies/measured-overhead.ts';
import { chosenDevice } from '../experiment/device.ts';

export interface ReportInput extends MatrixInput {
  readonly front: NetworkResults;
  readonly selected: string | null;
  readonly measured: ReadonlyMap<string, MeasuredOverhead>;
  /** Fragment of the lab's address. */
  readonly link: string;
  readonly version: string;
  readonly madeAt: Date;
}

export function reportOf(input: ReportInput): Report {
  const { experiment, titles, front, measured, selected, link, version, madeAt } = input;
  const frontRows = strategyRows({ results: front, experiment, titles, measured });
  const chosen = frontRow(frontRows, selected)?.identity.name ?? null;
  const networks = networkRows(input)
    .map((row): NetworkRow => (row.place === 0 ? { ...row, rows: frontRows } : row))
    .sort((a, b) => a.place - b.place);
  const [first, ...others] = networks.map((row) => networkOf(row, resultsOf(row, input), chosen));
  if (first === undefined) throw new InternalError('an experiment without a network');
  return comparisonReport({
    experiment: { ...experiment, device: chosenDevice(experiment) },
    networks: [first, ...others],
    followed: chosen ?? 'regular',
    link,
    commands: networks.flatMap(commandsOf),
    version,
    madeAt,
  });
}

function resultsOf({ place, single }: NetworkRow, { front, results }: ReportInput): NetworkResults | null {
  return place === 0 ? front : (results.get(keyOf(single)) ?? null);
}

function networkOf(
  { title, single, rows, regularBytes, failure }: NetworkRow,
  results: NetworkResults | null,
  front: string | null,
): ComparedNetwork {
  const { batch } = single;
  const head = results?.head ?? null;
  return { title, batch, head, failure, regularBytes, strategies: rows.map(strategyOf), front };
}

function strategyOf({ sized, ...row }: StrategyRow): ReportStrategy {
  const curve =
    sized === null ? [] : passCurve(sized.timeline.kinds, sized.timeline.backwardStart, sized.live);
  return { ...row, curve };
}

/** The whole comparison, and what was told the budget that the device leaves: others would take it for theirs. */
function commandsOf({ single, title, rows }: NetworkRow): string[] {
  const told = rows.filter(({ budgetBytes }) => budgetBytes !== null);
  return [
    commandOf(single, title),
    ...told.map((row) =>
      commandOf(withLeftBudget(single, row), title, { name: row.identity.name, reads: READS_BUDGET }),
    ),
  ];
}

const READS_BUDGET: StrategyInfo['reads'] = { budgetBytes: 'needs', seed: 'takes', link: 'takes' };

/** The command line reads networks and plans from files by their paths, which the lab does not know. */
export function commandOf(
  single: Experiment,
  title: string,
  strategy?: Pick<StrategyInfo, 'name' | 'reads'>,
): string {
  const target = isFileNetwork(single.model) ? `path/to/${title}` : single.model;
  const plan = single.plan === undefined ? undefined : 'path/to/plan.json';
  // The command line refuses what changes nothing here, where a screen says so.
  const useless = Object.keys(withoutEffect(single)).map((name) => [name, undefined]);
  return commandLine({ ...single, ...Object.fromEntries(useless), models: [target], plan }, strategy);
}
