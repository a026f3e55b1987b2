import { type PlanFile, planFile } from '../../engine/exchange/plan-file.ts';
import { InfeasibleError } from '../../engine/errors.ts';
import type { Graph } from '../../engine/graph/graph.ts';
import { createProblem } from '../../engine/problem.ts';
import type { Timeline } from '../../engine/simulate/simulate.ts';
import { solveRow } from '../../engine/strategies/solve.ts';
import type { Problem, StrategyOptions } from '../../engine/strategies/strategy/strategy.ts';

export interface SolvedPlan {
  readonly plan: PlanFile;
  readonly timeline: Timeline;
}

/** The plan of a strategy, or the sentence that says why none exists. */
export function solvePlan(
  problem: Problem,
  strategy: string,
  options: Pick<StrategyOptions, 'budgetBytes' | 'timeLimitSeconds'> = {},
): SolvedPlan | string {
  try {
    const { checkpoints, schedule, timeline, reason } = solveRow(problem, strategy, { seed: 1, ...options });
    if (schedule === null || timeline === null) return reason ?? 'no schedule';
    const chosen = { strategy, options: {}, checkpoints, schedule, timeline };
    return { plan: planFile(problem.graph, chosen), timeline };
  } catch (error) {
    if (error instanceof InfeasibleError) return error.message;
    throw error;
  }
}

/** Work of a search, in seconds: enough where a test follows a plan, and does not ask how good it is. */
export const BRIEFLY = { timeLimitSeconds: 0.05 };

/** The peak of regular training, and the plans that the PyTorch bridge is held to; budget lies halfway to the lowest. */
export function plansForTorch(
  graph: Graph,
  limit?: typeof BRIEFLY,
): {
  readonly problem: Problem;
  readonly regular: Timeline;
  readonly plans: ReadonlyMap<string, SolvedPlan | string>;
} {
  const problem = createProblem(graph, 'pytorch');
  const regular = solvePlan(problem, 'regular');
  if (typeof regular === 'string') throw new Error(regular);
  const live = solvePlan(problem, 'live', limit);
  const lowest = typeof live === 'string' ? regular : live;
  const halfway = Math.floor((lowest.timeline.peakBytes + regular.timeline.peakBytes) / 2);
  const plans = new Map<string, SolvedPlan | string>([
    ['optimal', solvePlan(problem, 'optimal')],
    ['live', live],
    ['budget', solvePlan(problem, 'budget', { ...limit, budgetBytes: halfway })],
  ]);
  return { problem, regular: regular.timeline, plans };
}
