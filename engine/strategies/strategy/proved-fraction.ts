import { leastFraction, type RecomputeBound } from '../../bounds/recompute-bound.ts';
import { strategyOf } from '../registry.ts';

interface JudgedRow {
  readonly strategy: string;
  readonly peakBytes: number | null;
  readonly sentBytes?: number | undefined;
}

/**
 * Recompute that is proved necessary at a row's budget (at its peak if the strategy reads none): a share of one
 * forward. Null without a plan, and of one that sends activations to host memory, which the bound leaves out.
 */
export function provedFraction(
  { strategy, peakBytes, sentBytes }: JudgedRow,
  budgetBytes: number | undefined,
  bound: RecomputeBound | null,
): number | null {
  if (peakBytes === null || bound === null || sentBytes !== undefined) return null;
  const isWithin = budgetBytes !== undefined && strategyOf(strategy).reads.budgetBytes !== undefined;
  return leastFraction(bound, Math.max(peakBytes, isWithin ? budgetBytes : 0));
}
