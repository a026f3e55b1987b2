import { commandLine } from '../../../app/report/command-line.ts';
import type { StrategyInfo } from '../../../app/contract/results.ts';
import { passCurve } from '../../../app/report/curve.ts';
import type { Report, ReportNetwork, ReportStrategy } from '../../../app/report/report.ts';
import type { Experiment } from '../../../app/contract/experiment.ts';
import { isFileNetwork } from '../../../app/contract/import-file.ts';
import { keyOf, type NetworkResults } from './comparison.ts';
import { headline } from './headline.ts';
import { type MatrixInput, matrixSentence, type NetworkRow, networkRows } from './networks-matrix.ts';
import { frontRow, regularPeak, type StrategyRow, strategyRows } from './rows.ts';
import { chosenDevice } from '../experiment/device.ts';
import { formatBytes } from '../../shared/format/bytes.ts';
import { formatCount } from '../../shared/format/numbers.ts';

export interface ReportInput extends MatrixInput {
  readonly front: NetworkResults;
  readonly selected: string | null;
  /** Measured time overheads of the network in front, by strategy. */
  readonly measured: ReadonlyMap<string, number>;
  /** Fragment of the lab's address. */
  readonly link: string;
  readonly version: string;
  readonly madeAt: Date;
}

/** What is on the Compare screen, for the report: the network in front first. */
export function reportOf(input: ReportInput): Report {
  const { experiment, titles, front, measured, selected } = input;
  const frontRows = strategyRows({ results: front, experiment, titles, measured });
  const chosen = frontRow(frontRows, selected);
  const networks = networkRows(input)
    .map((row): NetworkRow => (row.place === 0 ? { ...row, rows: frontRows } : row))
    .sort((a, b) => a.place - b.place);
  const sentence = headline({
    network: networks[0]?.title ?? experiment.model,
    batch: experiment.batch,
    regularBytes: regularPeak(front, experiment.batch),
    front: chosen,
  })
    .map(({ text }) => text)
    .join('');
  const across = matrixSentence(networks, chosen?.identity.name ?? '');
  return {
    headline: networks.length > 1 && across !== '' ? across : sentence,
    experiment: factsOf(experiment, networks),
    networks: networks.map((row) => networkOf(row, resultsOf(row, input), chosen)),
    link: input.link,
    commands: networks.map(({ single, title }) => commandOf(single, title)),
    version: input.version,
    madeAt: input.madeAt,
  };
}

function resultsOf({ place, single }: NetworkRow, { front, results }: ReportInput): NetworkResults | null {
  return place === 0 ? front : (results.get(keyOf(single)) ?? null);
}

function factsOf(experiment: Experiment, networks: readonly NetworkRow[]): [string, string][] {
  const { batch, profile, dtype, seed, budgetBytes, checkpoints = [] } = experiment;
  const device = chosenDevice(experiment);
  return [
    [networks.length > 1 ? 'Networks' : 'Network', networks.map(({ title }) => title).join(', ')],
    ['Batch', formatCount(batch)],
    ['Data type', dtype],
    ['Profile', profile],
    ['Device', `${device.title}, ${device.memoryGiB} GiB`],
    ['Seed', String(seed)],
    ...(budgetBytes === undefined ? [] : [['Budget', formatBytes(budgetBytes)] as [string, string]]),
    ...(checkpoints.length === 0 ? [] : [['Own checkpoints', checkpoints.join(', ')] as [string, string]]),
  ];
}

function networkOf(
  { title, single, rows, failure }: NetworkRow,
  results: NetworkResults | null,
  front: StrategyRow | null,
): ReportNetwork {
  const size = `Batch ${formatCount(single.batch)}`;
  const facts =
    results === null
      ? `${size}. ${failure ?? 'Not solved yet.'}`
      : `${size}${results.head.input > 0 ? `, input ${results.head.input} × ${results.head.input}` : ''}, ` +
        `${formatCount(results.head.parameters)} parameters, ${formatCount(results.head.vertices)} operations; ` +
        `computation graph of ${formatCount(results.head.tensorVertices)} vertices and ` +
        `${formatCount(results.head.tensorEdges)} edges; weights, gradients and momentum take ` +
        `${formatBytes(results.head.stationaryBytes)} besides.`;
  return { title, facts, strategies: rows.map(strategyOf), front: front?.identity.name ?? null };
}

function strategyOf(row: StrategyRow): ReportStrategy {
  const { sized } = row;
  return {
    identity: row.identity,
    reason: row.reason,
    peakBytes: row.peakBytes,
    cut: row.cut,
    lowerBoundBytes: row.lowerBoundBytes,
    paperCostBytes: row.paperCostBytes,
    recomputeFraction: row.recomputeFraction,
    predictedOverhead: row.predictedOverhead,
    measuredOverhead: row.measuredOverhead,
    checkpoints: row.checkpoints,
    curve: sized === null ? [] : passCurve(sized.timeline.kinds, sized.timeline.backwardStart, sized.live),
  };
}

/** The command line reads networks and plans from files by their paths, which the lab does not know. */
export function commandOf(single: Experiment, title: string, strategy?: StrategyInfo): string {
  const target = isFileNetwork(single.model) ? `path/to/${title}` : single.model;
  const plan = single.plan === undefined ? undefined : 'path/to/plan.json';
  return commandLine({ ...single, models: [target], plan }, strategy);
}
