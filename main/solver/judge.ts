import type { Row } from '../../app/contract/results.ts';
import { judgePlan } from '../../engine/strategies/solve.ts';
import type { NotApplicable, Plan, Problem } from '../../engine/strategies/strategy.ts';

/** A plan and what it cost to find. */
export interface SolvedPlan {
  readonly strategy: string;
  readonly plan: Plan | NotApplicable;
  /** Whether it does not apply because no plan can be what was asked for, as within a budget. */
  readonly isInfeasible: boolean;
  readonly solveMs: number;
  /** Batch of the problem that was solved; Eq. 2 of the plan is for this one. */
  readonly batch: number;
}

/**
 * The contract's row of a plan at one batch. Eq. 2 is a sum of tensors, so it is proportional to the batch
 * for which the plan was made.
 */
export function judge(problem: Problem, batch: number, solved: SolvedPlan): Row {
  const { strategy, plan, isInfeasible, solveMs } = solved;
  const { schedule: _schedule, timeline: _timeline, stopped, ...row } = judgePlan(problem, strategy, plan);
  const { paperCostBytes } = row;
  return {
    ...row,
    checkpoints: [...row.checkpoints],
    paperCostBytes: paperCostBytes === null ? null : (paperCostBytes / solved.batch) * batch,
    solveMs,
    ...(stopped === undefined ? {} : { stopped: { ...stopped, unfinished: [...stopped.unfinished] } }),
    ...(isInfeasible ? { infeasible: true } : {}),
  };
}
