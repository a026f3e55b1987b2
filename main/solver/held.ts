import type { NotApplicable, Plan } from '../../engine/strategies/strategy/strategy.ts';
import { type HeldLine, type HeldStep, heldStep } from '../../engine/training-memory/held.ts';
import type { Network, SolverMemory } from './memory.ts';

/** Everything that a plan holds, as a function of the batch; empty without a plan. */
export function heldOf(network: Network, plan: Plan | NotApplicable, memory: SolverMemory): HeldLine[] {
  return plan.applicable ? heldThroughout(network, plan, memory).lines : [];
}

/** The same, with every instant of the step. */
export function heldThroughout(network: Network, { schedule }: Plan, memory: SolverMemory): HeldStep {
  const [one, two] = [memory.problem(network, 1), memory.problem(network, 2)];
  return heldStep(one, two, schedule, memory.setup(network));
}
