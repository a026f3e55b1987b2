import { InfeasibleError } from '../../errors.ts';
import { FORWARD, type Schedule } from '../../schedule/schedule.ts';
import { articulation } from '../articulation.ts';
import { bptt } from '../chain/bptt.ts';
import { chainDp } from '../chain/chain-dp.ts';
import { chenGreedy } from '../chen/chen-greedy.ts';
import { chenMemonger } from '../chen/chen-memonger.ts';
import { chenSqrt } from '../chen/chen-sqrt.ts';
import { linearOptimal } from '../optimal/linear-optimal.ts';
import { memoryPoor } from '../memory-poor.ts';
import { optimal } from '../optimal/optimal.ts';
import { random } from '../random.ts';
import { regular } from '../regular.ts';
import { revolve } from '../chain/revolve.ts';
import type { SearchLimit } from './search-limit.ts';
import { sequential } from '../sequential.ts';
import { speed } from '../speed.ts';
import type { Problem, Strategy, StrategyOptions } from '../strategy/strategy.ts';

/** Milliseconds each on the largest networks of the zoo. */
const QUICK: readonly Strategy[] = [
  regular,
  chenSqrt,
  chenGreedy,
  chenMemonger,
  articulation,
  speed,
  random,
  linearOptimal,
  optimal,
  sequential,
  revolve,
  bptt,
];
/** Up to a second each. */
const SLOW: readonly Strategy[] = [memoryPoor, chainDp];
/** Vertices up to which the slow ones are asked. */
const SLOW_SIZE = 400;
/** Vertices up to which any is. */
const QUICK_SIZE = 2000;

const LOOKS_A_TICK = 100_000;

/** Those that a search asks before it answers, on a graph of so many vertices, so that none of them beats it. */
function portfolioFor(size: number): readonly Strategy[] {
  if (size > QUICK_SIZE) return [];
  return size > SLOW_SIZE ? QUICK : [...QUICK, ...SLOW];
}

/**
 * The schedules of the other strategies, each as it is by itself with the same seed and, where it takes one, budget.
 * One that has none is passed over.
 */
export function baselinePlans(
  problem: Problem,
  { seed, budgetBytes }: Pick<StrategyOptions, 'seed' | 'budgetBytes'>,
  search: SearchLimit,
): Schedule[] {
  const found: Schedule[] = [];
  for (const strategy of portfolioFor(problem.graph.size)) {
    if (search.isReached) break;
    // Their own progress is not that of the whole.
    const control = { tick: () => void search.look(LOOKS_A_TICK) };
    const budget = strategy.reads.budgetBytes === undefined ? undefined : budgetBytes;
    try {
      const plan = strategy.plan(
        problem,
        budget === undefined ? { seed } : { seed, budgetBytes: budget },
        control,
      );
      if (plan.applicable) found.push(plan.schedule);
    } catch (error) {
      if (!(error instanceof InfeasibleError)) throw error;
    }
  }
  return found;
}

/** Whether no vertex is forwarded more than twice. */
export function isTwiceAtMost({ kinds, vertices }: Schedule, size: number): boolean {
  const forwards = new Int32Array(size);
  for (let t = 0; t < kinds.length; t++) {
    if (kinds[t] === FORWARD && ++forwards[vertices[t]!]! > 2) return false;
  }
  return true;
}
