import { tensorId } from '../strategies/strategy/from-checkpoints.ts';
import { manual } from '../strategies/manual.ts';
import type { Checkpointing } from '../schedule/checkpointing.ts';
import { simulate, tensorLifetimes, type Timeline } from '../simulate/simulate.ts';
import { regular } from '../strategies/regular.ts';
import { NO_CONTROL, type Plan, type Problem } from '../strategies/strategy/strategy.ts';

/** Cost of a set of checkpoints. */
export interface JudgedSet {
  readonly plan: Plan;
  readonly timeline: Timeline;
}

/**
 * Figures of a set of checkpoints, run as `manual` runs it. With nothing kept that would forward all
 * twice and save nothing, so that is regular training.
 *
 * @param tensors vertices of `problem.view.tensors`, in any order
 * @returns the reason where one of them cannot be kept
 */
export function judgeSet(
  problem: Problem,
  tensors: readonly number[],
  checkpointing?: Checkpointing,
): JudgedSet | string {
  const strategy = tensors.length === 0 ? regular : manual;
  const options = {
    seed: 0,
    checkpoints: tensors.map((tensor) => tensorId(problem, tensor)),
    ...(checkpointing === undefined ? {} : { checkpointing }),
  };
  const plan = strategy.plan(problem, options, NO_CONTROL);
  if (!plan.applicable) return plan.reason;
  return { plan, timeline: simulate(problem.graph, problem.memory, plan.schedule) };
}

/** Peak of a plan: the operation that runs, and the largest tensor that it finds in memory. */
export interface PeakPlace {
  readonly step: number;
  readonly vertex: number;
  readonly largest: number;
  readonly largestBytes: number;
}

export function peakPlace({ graph, memory }: Problem, { plan, timeline }: JudgedSet): PeakPlace {
  const lifetimes = tensorLifetimes(graph, memory, plan.schedule);
  const { peakStep: step } = timeline;
  let at = -1;
  for (const [i, bytes] of lifetimes.bytes.entries()) {
    const isLive = lifetimes.first[i]! <= step && step <= lifetimes.last[i]!;
    if (isLive && bytes > (lifetimes.bytes[at] ?? -1)) at = i;
  }
  return {
    step,
    vertex: plan.schedule.vertices[step] ?? 0,
    largest: lifetimes.vertices[at] ?? 0,
    largestBytes: lifetimes.bytes[at] ?? 0,
  };
}
