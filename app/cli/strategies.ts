import { defaultStrategy } from '../../engine/strategies/default-strategy.ts';
import { STRATEGIES, strategyOf } from '../../engine/strategies/registry.ts';
import { isTold, type StrategyOptions } from '../../engine/strategies/strategy/strategy.ts';
import type { Network } from '../../main/solver/memory.ts';
import { type OptionCommand, type OptionFlags, requireReadOptions } from './command-options.ts';

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

/** The strategies that have all that they cannot do without: those that need an option wait for it. */
export function answerable(options: Partial<Network> & Pick<StrategyOptions, 'link'>): string[] {
  return STRATEGIES.filter((strategy) => isTold(strategy, options)).map(({ name }) => name);
}
