import type { NotApplicable, Plan } from '../../engine/strategies/strategy/strategy.ts';
import { type HeldLine, heldLines } from '../../engine/training-memory/held.ts';
import type { Network, SolverMemory } from './memory.ts';

/** Everything that a plan holds against the batch; empty without a plan. */
export function heldOf(network: Network, plan: Plan | NotApplicable, memory: SolverMemory): HeldLine[] {
  if (!plan.applicable) return [];
  const [one, two] = [memory.problem(network, 1), memory.problem(network, 2)];
  return heldLines(one, two, plan.schedule, memory.setup(network));
}
