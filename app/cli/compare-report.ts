import { InternalError } from '../../engine/errors.ts';
import { strategyOf } from '../../engine/strategies/registry.ts';
import { versionAbove } from '../../main/host/info.ts';
import { commandLine } from '../report/command-line.ts';
import { passCurve } from '../report/curve.ts';
import type { Report, ReportStrategy } from '../report/report.ts';
import { identityOf } from '../report/strategy-looks.ts';
import { type Compared, costsText, type JsonHead, type SolvedRow } from './compared.ts';
import { bytes, count, percent } from './format.ts';
import type { StrategyFlags } from './network.ts';

/** The report of `zigzag compare`; measured times are the lab's. */
export function reportOf(
  compared: readonly Compared[],
  targets: readonly string[],
  flags: StrategyFlags,
  madeAt: Date,
): Report {
  const [first] = compared;
  if (first === undefined) throw new InternalError('a report of no network');
  const { network, head } = first;
  const networks = compared.map(({ head, rows }) => {
    const strategies = rows.map((row) => strategyOfRow(row, head.regularPeakBytes));
    // The lowest peak; among equals the least time.
    const [best = null] = strategies
      .filter(({ peakBytes }) => peakBytes !== null)
      .sort(
        (a, b) =>
          (a.peakBytes ?? 0) - (b.peakBytes ?? 0) || (a.predictedOverhead ?? 0) - (b.predictedOverhead ?? 0),
      );
    return { head, strategies, best };
  });
  return {
    headline: headlineOf(networks.map(({ head, best }) => ({ head, best }))),
    experiment: [
      ['Networks', compared.map(({ head }) => head.model).join(', ')],
      ['Batch', count(network.batch)],
      ['Data type', network.dtype],
      ['Profile', network.profile],
      ['Seed', String(network.seed)],
      ...(flags.budget === undefined ? [] : [['Budget', flags.budget] as const]),
      ...(head.costs === undefined ? [] : [['Costs', costsText(head.costs)] as const]),
    ],
    networks: networks.map(({ head, strategies, best }) => ({
      title: head.model,
      facts:
        `Batch ${count(head.batch)}, ${head.input > 0 ? `input ${head.input} × ${head.input}, ` : ''}` +
        `${count(head.parameters)} parameters, ${count(head.vertices)} operations; weights, gradients and ` +
        `momentum take ${bytes(head.stationaryBytes)} besides.`,
      strategies,
      front: best?.identity.name ?? null,
    })),
    link: null,
    commands: [
      commandLine({ ...network, models: targets, slots: flags.slots, plan: flags.plan, costs: flags.costs }),
    ],
    version: versionAbove(import.meta.url),
    madeAt,
  };
}

function strategyOfRow({ json, timeline, live }: SolvedRow, regularBytes: number): ReportStrategy {
  const { peakBytes } = json;
  return {
    identity: identityOf(json.strategy, strategyOf(json.strategy).title),
    reason: json.reason,
    peakBytes,
    cut: peakBytes === null || regularBytes === 0 ? null : 1 - peakBytes / regularBytes,
    lowerBoundBytes: json.lowerBoundBytes,
    paperCostBytes: json.paperCostBytes,
    recomputeFraction: json.recomputeFraction,
    predictedOverhead: json.predictedOverhead,
    measuredOverhead: null,
    checkpoints: json.checkpoints,
    curve: timeline === null ? [] : passCurve(timeline.kinds, timeline.backwardStart, live),
  };
}

interface Told {
  readonly head: JsonHead;
  readonly best: ReportStrategy | null;
}

function headlineOf(told: readonly Told[]): string {
  const [only, ...others] = told;
  if (only === undefined || others.length > 0) return `${told.length} networks under every strategy`;
  const { head, best } = only;
  const start = `${head.model} at batch ${count(head.batch)} needs ${bytes(head.regularPeakBytes)}`;
  if (best?.peakBytes == null || best.identity.name === 'regular') return `${start} for one training step`;
  const time =
    best.predictedOverhead === null ? '' : ` for ${percent(best.predictedOverhead)} more time (predicted)`;
  return `${start}; ${best.identity.title} needs ${bytes(best.peakBytes)}${time}`;
}
