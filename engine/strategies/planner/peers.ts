import { articulation } from '../articulation.ts';
import { bptt } from '../chain/bptt.ts';
import { chainDp } from '../chain/chain-dp.ts';
import { revolve } from '../chain/revolve.ts';
import { checkmateRounding } from '../checkmate/checkmate.ts';
import { chenGreedy } from '../chen/chen-greedy.ts';
import { chenMemonger } from '../chen/chen-memonger.ts';
import { chenSqrt } from '../chen/chen-sqrt.ts';
import { dtr } from '../dtr/dtr.ts';
import { givenPlan } from '../given-plan.ts';
import { knapsack } from '../knapsack/knapsack.ts';
import { manual } from '../manual.ts';
import { memoryPoor } from '../memory-poor.ts';
import { linearOptimal } from '../optimal/linear-optimal.ts';
import { optimal } from '../optimal/optimal.ts';
import { perBlock } from '../per-block.ts';
import { random } from '../random.ts';
import { regular } from '../regular.ts';
import { sequential } from '../sequential.ts';
import { speed } from '../speed.ts';
import type { Strategy } from '../strategy/strategy.ts';

/** Strategies that do not plan by the planner, in the order of tables: it may ask each of them. */
export const PEERS: readonly Strategy[] = [
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
  perBlock,
  revolve,
  bptt,
  chainDp,
  dtr,
  knapsack,
  checkmateRounding,
];
