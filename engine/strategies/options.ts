import { BadInputError } from '../errors.ts';
import type { LinkedDevice } from '../offload/link.ts';
import type { StrategyOptions } from './strategy/strategy.ts';

/** Reason of a strategy that lacks its budget. */
export const BUDGET_NEEDED = 'It needs a budget: a limit on the live bytes of a step.';

/** The byte budget, if there is one. */
export function budgetOf({ budgetBytes }: StrategyOptions): number | undefined {
  if (budgetBytes === undefined) return undefined;
  if (!Number.isFinite(budgetBytes) || budgetBytes <= 0) {
    throw new BadInputError(`expected a positive number of bytes, got ${budgetBytes}`, 'budgetBytes');
  }
  return budgetBytes;
}

/** The device and its link to host memory, if there is one. */
export function linkOf({ link }: StrategyOptions): LinkedDevice | undefined {
  if (link === undefined) return undefined;
  const { bytesPerSecond } = link.link;
  const { flopsPerSecond, secondsPerOperation } = link.speed;
  if (!Number.isFinite(bytesPerSecond) || bytesPerSecond <= 0) {
    throw new BadInputError(`expected a positive number of bytes per second, got ${bytesPerSecond}`, 'link');
  }
  if (!Number.isFinite(flopsPerSecond) || flopsPerSecond <= 0) {
    throw new BadInputError(`expected a positive number of FLOPs per second, got ${flopsPerSecond}`, 'link');
  }
  if (!Number.isFinite(secondsPerOperation) || secondsPerOperation < 0) {
    throw new BadInputError(
      `expected seconds of an operation, 0 or more, got ${secondsPerOperation}`,
      'link',
    );
  }
  return link;
}

/** How many checkpoints may be held at once; by default the logarithm of the number of stages. */
export function slotsOf({ slots }: StrategyOptions, stages: number): number {
  if (slots === undefined) return Math.ceil(Math.log2(stages));
  if (!Number.isSafeInteger(slots) || slots < 0) {
    throw new BadInputError(`expected a non-negative integer, got ${slots}`, 'slots');
  }
  return slots;
}

/** Into how many segments the user wants the stages cut, if that was said. */
export function segmentsOf({ segments }: StrategyOptions, stages: number): number | undefined {
  if (segments === undefined) return undefined;
  if (!Number.isSafeInteger(segments) || segments < 1 || segments > stages) {
    throw new BadInputError(
      `expected a whole number from 1 to ${stages}, the number of stages, got ${segments}`,
      'segments',
    );
  }
  return segments;
}
