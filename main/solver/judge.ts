import type { Row } from '../../app/contract/results.ts';
import { lowerBound } from '../../engine/bounds/lower-bound.ts';
import { idOf } from '../../engine/graph/graph.ts';
import { predictedOverhead, simulate } from '../../engine/simulate/simulate.ts';
import type { NotApplicable, Plan, Problem } from '../../engine/strategies/strategy.ts';

/** A plan and what it cost to find. */
export interface SolvedPlan {
  readonly strategy: string;
  readonly plan: Plan | NotApplicable;
  readonly solveMs: number;
  /** Batch of the problem that was solved; Eq. 2 of the plan is for this one. */
  readonly batch: number;
}

/**
 * The row of a plan at one batch: every figure but Eq. 2 is the simulator's. Eq. 2 is a sum of tensors,
 * so it is proportional to the batch.
 */
export function judge(problem: Problem, batch: number, solved: SolvedPlan): Row {
  const { strategy, plan, solveMs } = solved;
  const lowerBoundBytes = lowerBound(problem).bytes;
  if (!plan.applicable) return notApplicable(strategy, plan.reason, lowerBoundBytes, solveMs);
  const timeline = simulate(problem.graph, problem.memory, plan.schedule);
  const claims = [plan.claim];
  if (timeline.peakBytes <= lowerBoundBytes) claims.push('proved optimal: the peak meets the lower bound');
  return {
    strategy,
    applicable: true,
    reason: null,
    checkpoints: plan.checkpoints.map((v) => idOf(problem.graph, v)),
    paperCostBytes: plan.paperCostBytes === null ? null : (plan.paperCostBytes / solved.batch) * batch,
    peakBytes: timeline.peakBytes,
    lowerBoundBytes,
    recomputeFraction: timeline.recomputeFraction,
    forwardFlops: timeline.forwardWork,
    recomputeFlops: timeline.recomputeWork,
    predictedOverhead: predictedOverhead(timeline),
    steps: plan.schedule.kinds.length,
    claim: claims.filter((claim) => claim !== undefined).join('; ') || null,
    solveMs,
  };
}

function notApplicable(strategy: string, reason: string, lowerBoundBytes: number, solveMs: number): Row {
  return {
    strategy,
    applicable: false,
    reason,
    checkpoints: [],
    paperCostBytes: null,
    peakBytes: null,
    lowerBoundBytes,
    recomputeFraction: null,
    forwardFlops: null,
    recomputeFlops: null,
    predictedOverhead: null,
    steps: null,
    claim: null,
    solveMs,
  };
}
