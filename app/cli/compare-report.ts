import { InternalError } from '../../engine/errors.ts';
import { strategyOf } from '../../engine/strategies/registry.ts';
import { versionAbove } from '../../main/host/info.ts';
import { commandLine } from '../report/command-line.ts';
import { type ComparedNetwork, comparisonReport } from '../report/comparison-report.ts';
import { passCurve } from '../report/curve.ts';
import type { Report, ReportStrategy } from '../report/report.ts';
import { identityOf } from '../report/strategy-looks.ts';
import { type Compared, costsText, type SolvedRow } from './compared.ts';
import type { NetworkFlags } from './network.ts';

/** The report of `zigzag compare`; measured times are the lab's. */
export function reportOf(
  compared: readonly Compared[],
  targets: readonly string[],
  flags: NetworkFlags,
  madeAt: Date,
): Report {
  const [first, ...others] = compared;
  if (first === undefined) throw new InternalError('a report of no network');
  const { network, head } = first;
  const budgetShare = others.length > 0 && flags.budget?.endsWith('%') ? flags.budget : undefined;
  return comparisonReport({
    experiment: {
      ...network,
      // Its memory is what `zigzag limits` asks about.
      device: undefined,
      costs: head.costs === undefined ? undefined : costsText(head.costs),
      budgetShare,
    },
    networks: [networkOf(first), ...others.map(networkOf)],
    followed: null,
    link: null,
    commands: [
      commandLine({ ...network, models: targets, plan: flags.plan, costs: flags.costs, budgetShare }),
    ],
    version: versionAbove(import.meta.url),
    madeAt,
  });
}

function networkOf({ head, rows }: Compared): ComparedNetwork {
  const strategies = rows.map((row) => strategyOfRow(row, head.regularPeakBytes));
  // The lowest peak; among equals the least time.
  const [best = null] = strategies
    .filter(({ peakBytes }) => peakBytes !== null)
    .sort(
      (a, b) =>
        (a.peakBytes ?? 0) - (b.peakBytes ?? 0) || (a.predictedOverhead ?? 0) - (b.predictedOverhead ?? 0),
    );
  return {
    title: head.model,
    batch: head.batch,
    head,
    failure: null,
    regularBytes: head.regularPeakBytes,
    strategies,
    front: best?.identity.name ?? null,
  };
}

function strategyOfRow(
  { json, savesNothing, timeline, live }: SolvedRow,
  regularBytes: number,
): ReportStrategy {
  const { peakBytes } = json;
  return {
    ...json,
    identity: identityOf(json.strategy, strategyOf(json.strategy).title),
    cut: peakBytes === null || regularBytes === 0 ? null : 1 - peakBytes / regularBytes,
    savesNothing,
    measuredOverhead: null,
    measuredNote: null,
    curve: timeline === null ? [] : passCurve(timeline.kinds, timeline.backwardStart, live),
  };
}
