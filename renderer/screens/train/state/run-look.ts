import type { Run } from '../../../state/runs/run.ts';
import { colorOf, identityOf } from '../../../state/strategies/identity.ts';
import { isNaive, isReentrant } from './visible-runs.ts';

export interface RunLook {
  readonly run: Run;
  readonly name: string;
  readonly title: string;
  readonly color: string;
  readonly dash: string | undefined;
  readonly width: number;
}

export const NAIVE_DASH = '2 3';
export const TWIN_DASH = '8 4';

/** `Optimal`, `Optimal, reentrant`, `Optimal, naive statistics`: what a run does, as a short name. */
export function runTitle(run: Run, titles: ReadonlyMap<string, string>): string {
  const { strategy, naiveStatistics, naiveDropout } = run.request;
  const own = identityOf(strategy, titles.get(strategy)).title;
  const title = isReentrant(run) ? `${own}, reentrant` : own;
  if (!isNaive(run)) return title;
  if (naiveStatistics === true && naiveDropout === true) return `${title}, naive`;
  return `${title}, naive ${naiveStatistics === true ? 'statistics' : 'dropout'}`;
}

/**
 * A strategy keeps its colour and its line. A naive run is dotted; of runs that would look the same, all
 * but the last are dashed and called by their numbers.
 */
export function looksOf(runs: readonly Run[], titles: ReadonlyMap<string, string>): RunLook[] {
  const names = runs.map((run) => runTitle(run, titles));
  return runs.map((run, i) => {
    const identity = identityOf(run.request.strategy);
    const name = names[i] ?? '';
    const isTwin = names.filter((other) => other === name).length > 1;
    const isLast = names.lastIndexOf(name) === i;
    return {
      run,
      name,
      title: isTwin ? `${name} (run ${run.id})` : name,
      color: colorOf(identity),
      dash: isNaive(run) ? NAIVE_DASH : isTwin && !isLast ? TWIN_DASH : identity.dash,
      width: identity.width,
    };
  });
}
