import type { StrategyOption } from './strategy/strategy.ts';

/** The papers' optimum. */
const WITHOUT_OPTIONS = 'optimal';

/** By what was given, the first that has all of it. */
const BY_OPTIONS: readonly (readonly [strategy: string, ...needs: StrategyOption[]])[] = [
  ['plan', 'plan'],
  ['manual', 'checkpoints'],
  ['offload', 'budgetBytes', 'link'],
  ['budget', 'budgetBytes'],
];

/**
 * The strategy where none is named, wherever one is asked for: a plan or checkpoints of the user's own are followed, a
 * budget asks for the least recompute within it, and nothing asks for the papers' optimum.
 */
export function defaultStrategy(
  given: { readonly [Option in StrategyOption]?: unknown },
  withoutOptions = WITHOUT_OPTIONS,
): string {
  const found = BY_OPTIONS.find(([, ...needs]) => needs.every((option) => given[option] !== undefined));
  return found?.[0] ?? withoutOptions;
}

/** The strategy that a budget alone asks for. */
export const WITHIN_BUDGET = defaultStrategy({ budgetBytes: true });

/** True when a strategy needs a budget, so the device supplies it by default. */
export const needsBudget = (strategies: readonly string[]): boolean =>
  BY_OPTIONS.some(([name, ...needs]) => strategies.includes(name) && needs.includes('budgetBytes'));
