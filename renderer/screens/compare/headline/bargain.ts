import type { Experiment } from '../../../../app/contract/experiment.ts';
import { withStrategy } from '../../../state/experiment/experiment.ts';
import { roomOf } from '../../../state/experiment/device.ts';
import { type Verdict, verdictOf } from '../../../../engine/training-memory/verdict.ts';
import type { ToldBargain } from '../pareto/pareto-store.ts';

export const STRATEGY_OF_BARGAIN = 'budget';

export interface KnownBargain {
  readonly verdict: Verdict;
  readonly totalBytes: number;
  readonly predictedOverhead: number;
  /** Budget to pass; null where the lab solved another batch and still searches at this one. */
  readonly budgetBytes: number | null;
}

/**
 * The known bargain: a plan of another batch is still a plan, with its own figures at this one.
 *
 * @returns null if none exists, undefined where it is not known
 */
export function knownBargain(
  told: ToldBargain | null,
  experiment: Experiment,
  regular: Verdict | null,
): KnownBargain | null | undefined {
  if (told === null || regular === null) return undefined;
  const { batch } = experiment;
  const isOwn = told.batch === batch;
  if (told.bargain === null) return isOwn ? null : undefined;
  const { held, predictedOverhead, budgetBytes } = told.bargain;
  const verdict = verdictOf(held, batch, roomOf(experiment));
  if (verdict === null || verdict.totalBytes >= regular.totalBytes) return isOwn ? null : undefined;
  const { totalBytes } = verdict;
  return { verdict, totalBytes, predictedOverhead, budgetBytes: isOwn ? budgetBytes : null };
}

export const isTaken = (
  { budgetBytes }: KnownBargain,
  experiment: Experiment,
  selected: string | null,
): boolean =>
  experiment.budgetBytes === budgetBytes &&
  experiment.strategies.includes(STRATEGY_OF_BARGAIN) &&
  selected === STRATEGY_OF_BARGAIN;

export function withBargain(
  experiment: Experiment,
  budgetBytes: number,
  order: readonly string[],
): Experiment {
  return { ...withStrategy(experiment, STRATEGY_OF_BARGAIN, true, order), budgetBytes };
}
