import { lowerBound } from '../bounds/lower-bound.ts';
import { idOf } from '../graph/graph.ts';
import type { Checkpointing } from '../schedule/checkpointing.ts';
import type { Schedule } from '../schedule/schedule.ts';
import { predictedOverhead, simulate, type Timeline } from '../simulate/simulate.ts';
import type { RowClaim } from './strategy/claim.ts';
import { strategyOf } from './registry.ts';
import { regularFigures } from './regular.ts';
import type { SearchStop } from './search/search-stop.ts';
import {
  type Control,
  NO_CONTROL,
  type NotApplicable,
  type Plan,
  type Problem,
  type StrategyOptions,
} from './strategy/strategy.ts';

/** One row of a comparison. Bytes, FLOPs; figures are null where the strategy is not applicable. */
export interface SolvedStrategy {
  readonly strategy: string;
  readonly applicable: boolean;
  /** Why it is not applicable; null when it is. */
  readonly reason: string | null;
  /** Ids of the operations whose outputs are gradient checkpoints. */
  readonly checkpoints: readonly string[];
  /** Eq. 2; null for strategies that do not choose checkpoints on the papers' graph. */
  readonly paperCostBytes: number | null;
  readonly peakBytes: number | null;
  /** Kept for backward at the end of the first forward under this plan, input batch included. */
  readonly savedBytes: number | null;
  /** No schedule of any strategy can have a lower peak than this. */
  readonly lowerBoundBytes: number;
  readonly recomputeFraction: number | null;
  /** For one forward; bytes written when the graph has no FLOPs. */
  readonly forwardFlops: number | null;
  readonly recomputeFlops: number | null;
  /** Predicted time overhead, a share of 1 (simulate.ts). */
  readonly predictedOverhead: number | null;
  /** Number of steps of the schedule. */
  readonly steps: number | null;
  /** Claim about the result, if the strategy makes one. */
  readonly claim: RowClaim | null;
  /** How its segments run; null where it is not made of segments. */
  readonly checkpointing: Checkpointing | null;
  /** Limit that ended the search, and the work it left out. */
  readonly stopped?: SearchStop;
  readonly schedule: Schedule | null;
  readonly timeline: Timeline | null;
}

/**
 * Runs one strategy and lets the simulator judge its schedule: every figure but Eq. 2 is the
 * simulator's. The caller adds the time it took, because the engine has no clock.
 *
 * @throws BadInputError for an unknown name or options that make no sense, InfeasibleError for a budget
 *   that cannot be met, CancelledError through control, ScheduleError when a strategy breaks its promise
 */
export function solveRow(
  problem: Problem,
  strategyName: string,
  options: StrategyOptions,
  control: Control = NO_CONTROL,
): SolvedStrategy {
  return judgePlan(problem, strategyName, strategyOf(strategyName).plan(problem, options, control));
}

/**
 * The row of a plan that was made before, by the simulator.
 * @throws ScheduleError when the plan's schedule does not fit the problem
 */
export function judgePlan(
  problem: Problem,
  strategyName: string,
  plan: Plan | NotApplicable,
): SolvedStrategy {
  const lowerBoundBytes = lowerBound(problem).bytes;
  if (!plan.applicable) return notApplicable(strategyName, plan.reason, lowerBoundBytes);
  const timeline = simulate(problem.graph, problem.memory, plan.schedule);
  return {
    strategy: strategyName,
    applicable: true,
    reason: null,
    checkpoints: plan.checkpoints.map((v) => idOf(problem.graph, v)),
    paperCostBytes: plan.paperCostBytes,
    peakBytes: timeline.peakBytes,
    savedBytes: timeline.savedBytes,
    lowerBoundBytes,
    recomputeFraction: timeline.recomputeFraction,
    forwardFlops: timeline.forwardWork,
    recomputeFlops: timeline.recomputeWork,
    predictedOverhead: predictedOverhead(timeline),
    steps: plan.schedule.kinds.length,
    claim: claimOf(problem, plan, timeline),
    checkpointing: plan.checkpointing ?? null,
    ...(plan.stopped === undefined ? {} : { stopped: plan.stopped }),
    schedule: plan.schedule,
    timeline,
  };
}

function claimOf(problem: Problem, { claim }: Plan, { recomputeWork, peakBytes }: Timeline): RowClaim | null {
  const besides = claim ?? null;
  const regularPeakBytes = regularFigures(problem).peakBytes;
  if (peakBytes > regularPeakBytes) return { kind: 'above-regular', besides };
  if (recomputeWork === 0 || peakBytes < regularPeakBytes) return besides;
  return { kind: 'saves-nothing', besides };
}

function notApplicable(strategy: string, reason: string, lowerBoundBytes: number): SolvedStrategy {
  return {
    strategy,
    applicable: false,
    reason,
    checkpoints: [],
    paperCostBytes: null,
    peakBytes: null,
    savedBytes: null,
    lowerBoundBytes,
    recomputeFraction: null,
    forwardFlops: null,
    recomputeFlops: null,
    predictedOverhead: null,
    steps: null,
    claim: null,
    checkpointing: null,
    schedule: null,
    timeline: null,
  };
}
