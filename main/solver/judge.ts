import type { Row } from '../../app/contract/results.ts';
import type { LinkedDevice } from '../../engine/offload/link.ts';
import { stepTimes } from '../../engine/offload/step-times.ts';
import type { Schedule } from '../../engine/schedule/schedule.ts';
import type { Timeline } from '../../engine/simulate/simulate.ts';
import { judgePlan } from '../../engine/strategies/solve.ts';
import type { NotApplicable, Plan, Problem } from '../../engine/strategies/strategy/strategy.ts';

/** A plan and the cost of finding it. */
export interface SolvedPlan {
  readonly strategy: string;
  readonly plan: Plan | NotApplicable;
  /** True if it does not apply because no plan can meet the request, such as a budget. */
  readonly isInfeasible: boolean;
  /** Least peak that the strategy reaches, where it says so when it refuses a budget. */
  readonly leastBytes?: number | undefined;
  readonly solveMs: number;
  /** Batch of the solved problem, for which the plan's Eq. 2 holds. */
  readonly batch: number;
  /** The plan of each pipeline stage, where none is chosen. */
  readonly ofStages?: readonly (readonly [stage: number | undefined, plan: Plan])[];
}

/**
 * The contract's row of a plan at one batch. Eq. 2 is a sum of tensors, so it is proportional to the batch for which
 * the plan was made.
 *
 * @param device at the end of a link, if times are wanted
 */
export function judge(problem: Problem, batch: number, solved: SolvedPlan, device?: LinkedDevice): Row {
  const { strategy, plan, isInfeasible, solveMs } = solved;
  const { schedule, timeline, stopped, ...row } = judgePlan(problem, strategy, plan);
  const { paperCostBytes } = row;
  return {
    ...row,
    checkpoints: [...row.checkpoints],
    paperCostBytes: paperCostBytes === null ? null : (paperCostBytes / solved.batch) * batch,
    solveMs,
    ...hostFigures(timeline),
    ...(device === undefined || schedule === null ? {} : timesOf(problem, schedule, device)),
    ...(stopped === undefined ? {} : { stopped: { ...stopped, unfinished: [...stopped.unfinished] } }),
    ...(isInfeasible ? { infeasible: true } : {}),
  };
}

function hostFigures(timeline: Timeline | null): Pick<Row, 'sentBytes' | 'hostPeakBytes'> {
  if (timeline?.host === undefined) return {};
  const { sentBytes, peakBytes } = timeline.host;
  return { sentBytes, hostPeakBytes: peakBytes };
}

/** Empty if the graph has no FLOPs, which time the operations. */
function timesOf(
  { graph, memory }: Problem,
  schedule: Schedule,
  device: LinkedDevice,
): Pick<Row, 'stepSeconds' | 'stalledSeconds'> {
  if (!graph.flops.some((flops) => flops > 0)) return {};
  const { seconds, stalledSeconds } = stepTimes(graph, memory, schedule, device);
  return { stepSeconds: seconds, stalledSeconds };
}
