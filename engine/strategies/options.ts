import { BadInputError } from '../errors.ts';
import type { StrategyOptions } from './strategy.ts';

/** The byte budget, if there is one. */
export function budgetOf({ budgetBytes }: StrategyOptions): number | undefined {
  if (budgetBytes === undefined) return undefined;
  if (!Number.isFinite(budgetBytes) || budgetBytes <= 0) {
    throw new BadInputError(`expected a positive number of bytes, got ${budgetBytes}`, 'budgetBytes');
  }
  return budgetBytes;
}

/** How many checkpoints may be held at once; by default the logarithm of the number of stages. */
export function slotsOf({ slots }: StrategyOptions, stages: number): number {
  if (slots === undefined) return Math.ceil(Math.log2(stages));
  if (!Number.isSafeInteger(slots) || slots < 0) {
    throw new BadInputError(`expected a non-negative integer, got ${slots}`, 'slots');
  }
  return slots;
}
