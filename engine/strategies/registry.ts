import { BadInputError } from '../errors.ts';
import { nearestNames } from '../zoo/nearest.ts';
import { articulation } from './articulation.ts';
import { bptt } from './chain/bptt.ts';
import { budget } from './budget/budget.ts';
import { chainDp } from './chain/chain-dp.ts';
import { checkmateRounding } from './checkmate/checkmate.ts';
import { chenGreedy } from './chen/chen-greedy.ts';
import { chenMemonger } from './chen/chen-memonger.ts';
import { chenSqrt } from './chen/chen-sqrt.ts';
import { dtr } from './dtr/dtr.ts';
import { givenPlan } from './given-plan.ts';
import { knapsack } from './knapsack/knapsack.ts';
import { linearOptimal } from './optimal/linear-optimal.ts';
import { live } from './live/live.ts';
import { manual } from './manual.ts';
import { memoryPoor } from './memory-poor.ts';
import { milp } from './milp/milp.ts';
import { offload } from './offload/offload.ts';
import { optimal } from './optimal/optimal.ts';
import { random } from './random.ts';
import { regular } from './regular.ts';
import { revolve } from './chain/revolve.ts';
import { saveOnCpu } from './offload/save-on-cpu.ts';
import { sequential } from './sequential.ts';
import { speed } from './speed.ts';
import type { Strategy } from './strategy/strategy.ts';

/** Every strategy, once, in the order in which tables and legends show them. */
export const STRATEGIES: readonly Strategy[] = [
  regular,
  memoryPoor,
  chenSqrt,
  chenGreedy,
  chenMemonger,
  articulation,
  speed,
  random,
  manual,
  givenPlan,
  linearOptimal,
  optimal,
  sequential,
  revolve,
  bptt,
  chainDp,
  dtr,
  knapsack,
  checkmateRounding,
  live,
  budget,
  saveOnCpu,
  offload,
  milp,
];

/** @throws BadInputError with the nearest names for a name that no strategy has */
export function strategyOf(name: string): Strategy {
  const found = STRATEGIES.find((strategy) => strategy.name === name);
  if (found !== undefined) return found;
  const names = STRATEGIES.map((strategy) => strategy.name);
  const near = nearestNames(name, names);
  const hint = near.length > 0 ? `did you mean ${near.join(', ')}?` : `there are ${names.join(', ')}`;
  throw new BadInputError(`no strategy is called "${name}"; ${hint}`);
}
