import { STRATEGIES } from '../../engine/strategies/registry.ts';
import { isTold, type StrategyOptions } from '../../engine/strategies/strategy/strategy.ts';
import type { Network } from '../../main/solver/memory.ts';

/** The strategies that have all that they cannot do without: those that need an option wait for it. */
export function answerable(options: Partial<Network> & Pick<StrategyOptions, 'link'>): string[] {
  return STRATEGIES.filter((strategy) => isTold(strategy, options)).map(({ name }) => name);
}
