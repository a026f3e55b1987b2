import { BadInputError } from '../errors.ts';
import { nearestNames } from '../zoo/nearest.ts';
import { budget } from './budget/budget.ts';
import { live } from './live/live.ts';
import { milp } from './milp/milp.ts';
import { offload } from './offload/offload.ts';
import { PEERS } from './planner/peers.ts';
import { saveOnCpu } from './offload/save-on-cpu.ts';
import type { Strategy } from './strategy/strategy.ts';

/** Every strategy, once, in the order in which tables and legends show them. */
export const STRATEGIES: readonly Strategy[] = [...PEERS, live, budget, saveOnCpu, offload, milp];

/** @throws BadInputError with the nearest names for a name that no strategy has */
export function strategyOf(name: string): Strategy {
  const found = STRATEGIES.find((strategy) => strategy.name === name);
  if (found !== undefined) return found;
  const names = STRATEGIES.map((strategy) => strategy.name);
  const near = nearestNames(name, names);
  const hint = near.length > 0 ? `did you mean ${near.join(', ')}?` : `there are ${names.join(', ')}`;
  throw new BadInputError(`no strategy is named "${name}"; ${hint}`);
}
