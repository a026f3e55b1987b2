import { BadInputError } from '../errors.ts';
import { oneOf } from '../options/options.ts';
import { STRATEGIES, strategyOf } from './registry.ts';
import type { Strategy, StrategyOption } from './strategy/strategy.ts';

/**
 * Refuses options that no strategy asked for reads, since they would change nothing.
 *
 * @param named by which the caller knows an option: `--segments`, `segments`
 * @throws BadInputError in one sentence, with the strategies that read it
 */
export function requireRead(
  given: readonly StrategyOption[],
  strategies: readonly string[],
  named: (option: StrategyOption) => string,
): void {
  const asked = strategies.map(strategyOf);
  const unread = given.find((option) => !asked.some((strategy) => reads(strategy, option)));
  if (unread === undefined) return;
  const readers = STRATEGIES.filter((strategy) => reads(strategy, unread)).map(({ name }) => name);
  throw new BadInputError(
    `${named(unread)} changes nothing under ${oneOf(strategies)}: leave it out, or use the strategy ${oneOf(readers)}`,
  );
}

const reads = (strategy: Strategy, option: StrategyOption): boolean => strategy.reads[option] !== undefined;
