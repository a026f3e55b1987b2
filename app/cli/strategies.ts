import { defaultStrategy } from '../../engine/strategies/default-strategy.ts';
import { MILP_MAX_VERTICES } from '../../engine/strategies/milp/milp.ts';
import { STRATEGIES, strategyOf } from '../../engine/strategies/registry.ts';
import { isTold } from '../../engine/strategies/strategy/strategy.ts';
import { type OptionCommand, type OptionFlags, requireReadOptions } from './command-options.ts';
import type { Asked } from './network.ts';

export interface StrategyFlag extends OptionFlags {
  readonly strategy?: string;
}

/**
 * The strategy of a command that asks for one: the one named, or the default for the options given.
 * @throws BadInputError for an unknown name, or an option that the strategy does not read
 */
export function chosenStrategy(command: OptionCommand, flags: StrategyFlag, withoutOptions?: string): string {
  const given = { ...flags, budgetBytes: flags.budget, link: flags.link ?? flags.device };
  const strategy = flags.strategy ?? defaultStrategy(given, withoutOptions);
  requireReadOptions(command, flags, [strategyOf(strategy).name]);
  return strategy;
}

/** Limits where every strategy is asked: unless told, none waits longer for the exact search of a small graph. */
export const EVERY_STRATEGY = { exactSeconds: 2 };

/**
 * Strategies that a command asks where none is named: all that have the options they need. Those that need the MILP
 * solver take seconds beyond the size that it solves exactly, so they wait for `--all` or their name.
 */
export function answerable({
  network,
  link,
  problem,
}: Pick<Asked, 'network' | 'link' | 'problem'>): string[] {
  const isSmall = problem().graph.size <= MILP_MAX_VERTICES;
  const asked = STRATEGIES.filter((strategy) => isSmall || strategy.needsMilpSolver !== true);
  return asked.filter((strategy) => isTold(strategy, { ...network, link })).map(({ name }) => name);
}
