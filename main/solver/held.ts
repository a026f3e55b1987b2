import { given } from '../../engine/given.ts';
import { highestLines } from '../../engine/limits/peak-lines.ts';
import type { Plan } from '../../engine/strategies/strategy/strategy.ts';
import { type HeldLine, type HeldStep, heldStep } from '../../engine/training-memory/held.ts';
import type { SolvedPlan } from './judge.ts';
import type { Network, SolverMemory } from './memory.ts';

/**
 * Everything that a plan holds, as a function of the batch; empty without a plan. Of a pipeline without a chosen stage the
 * most that any stage holds, each under its own plan.
 */
export function heldOf(
  network: Network,
  { plan, ofStages }: Pick<SolvedPlan, 'plan' | 'ofStages'>,
  memory: SolverMemory,
): HeldLine[] {
  if (!plan.applicable) return [];
  const stages = ofStages ?? [[network.pipelineStage, plan]];
  const lines = stages.flatMap(([stage, own]) =>
    heldThroughout({ ...network, pipelineStage: stage }, own, memory).lines.map((line) => ({
      ...line,
      ...given({ stage }),
    })),
  );
  return ofStages === undefined ? lines : highestLines(lines);
}

/** The same of one stage, with every instant of the step. */
export function heldThroughout(network: Network, { schedule }: Plan, memory: SolverMemory): HeldStep {
  const [one, two] = [memory.problem(network, 1), memory.problem(network, 2)];
  return heldStep(one, two, schedule, memory.setup(network));
}
