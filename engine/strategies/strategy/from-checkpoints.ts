import { InternalError } from '../../errors.ts';
import { idOf } from '../../graph/graph.ts';
import { paperCost } from '../../paper/paper-cost.ts';
import type { NotIndependent } from '../../paper/segments.ts';
import { checkpointSegments } from '../../schedule/checkpoint-segments.ts';
import { type Checkpointing, CHECKPOINTINGS, segmentSchedule } from '../../schedule/checkpointing.ts';
import type { Claim } from './claim.ts';
import type { Plan, Problem, StrategyOptions } from './strategy.ts';

/** The options that a strategy reads whose segments run as the user says. */
export const READS_CHECKPOINTING = { checkpointing: 'takes' } as const;

/** Ways to run segments: that of the options, or the default. */
export const checkpointingOf = ({ checkpointing }: StrategyOptions): Checkpointing =>
  checkpointing ?? CHECKPOINTINGS[0];

/**
 * The one path from gradient checkpoints on the papers' graph to a plan: segments, the schedule as they run,
 * Eq. 2. Every strategy that only chooses checkpoints ends here, so that they differ in their choice
 * and in nothing else. Time O(k (V + E)) at worst (one-level.ts), linear in practice.
 *
 * @param checkpoints vertices of `problem.view.tensors` that cut it into independent segments;
 *   source and target may be among them and count nothing
 */
export function planFromCheckpoints(
  problem: Problem,
  options: StrategyOptions,
  checkpoints: readonly number[],
  claim?: Claim,
): Plan {
  const { graph, memory, view } = problem;
  const last = view.tensors.size - 1;
  const inner = [...new Set(checkpoints)].filter((c) => c > 0 && c < last);
  const cost = paperCost(view.tensors, inner);
  if (!cost.ok) throw new InternalError(`a strategy chose what is ${whyNotIndependent(problem, cost)}`);
  const segments = checkpointSegments(graph, memory, view, inner);
  const checkpointing = checkpointingOf(options);
  const schedule = segmentSchedule(graph, memory, segments, checkpointing);
  const plan = {
    applicable: true,
    checkpoints: inner.map((c) => view.representative[c] ?? 0).sort((a, b) => a - b),
    schedule,
    paperCostBytes: cost.cost,
    checkpointing,
  } as const;
  return claim === undefined ? plan : { ...plan, claim };
}

/** The problem without what is of one size at any batch, so that of several sets the same one has the lowest peak at every batch. */
export function withoutFixed(problem: Problem): Problem {
  const { auxBytes, auxIsFixed } = problem.memory;
  const growing = auxBytes.map((bytes, v) => (auxIsFixed[v] === 1 ? 0 : bytes));
  return { ...problem, memory: { ...problem.memory, auxBytes: growing } };
}

/** "not an independent segment because v12 needs v7", with the ids of the graph. */
export function whyNotIndependent(problem: Problem, fault: NotIndependent): string {
  return `not an independent segment because ${tensorId(problem, fault.from)} needs ${tensorId(problem, fault.needs)}`;
}

/** The id of the operation whose output a vertex of the papers' graph stores. */
export function tensorId(problem: Problem, tensor: number): string {
  return idOf(problem.graph, problem.view.representative[tensor] ?? 0);
}
