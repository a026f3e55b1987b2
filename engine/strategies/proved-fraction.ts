import { leastFraction, type RecomputeBound } from '../bounds/recompute-bound.ts';
import { strategyOf } from './registry.ts';

/**
 * What recompute is proved necessary at a row's budget, or, of a strategy that reads none, at its peak: a share of one
 * forward. Null without a plan.
 */
export function provedFraction(
  { strategy, peakBytes }: { readonly strategy: string; readonly peakBytes: number | null },
  budgetBytes: number | undefined,
  bound: RecomputeBound | null,
): number | null {
  if (peakBytes === null || bound === null) return null;
  const isWithin = budgetBytes !== undefined && strategyOf(strategy).reads.budgetBytes !== undefined;
  return leastFraction(bound, Math.max(peakBytes, isWithin ? budgetBytes : 0));
}
