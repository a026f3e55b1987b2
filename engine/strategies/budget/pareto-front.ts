import { Planner } from '../planner/planner.ts';
import type { PlanFront } from '../planner/plan-front.ts';
import { type Candidate, checkpointsOf } from '../search/candidate.ts';
import { SearchLimit } from '../search/search-limit.ts';
import type { Control, Plan, Problem } from '../strategy/strategy.ts';

/** One point of the trade-off between memory and recompute. */
export interface ParetoPoint {
  readonly peakBytes: number;
  readonly recomputeFraction: number;
  readonly plan: Plan;
}

/** Work limit for the whole front, in seconds of counted work; the networks of the zoo need a tenth. */
const FRONT_SECONDS = 60;
/** Seed of strategies that draw random numbers. */
const SEED = 0;

/** The front as far as it is known, by falling peak. */
export type ParetoListener = (front: readonly ParetoPoint[]) => void;

/**
 * The whole trade-off of a graph: from no recompute to the lowest peak that any schedule known reaches,
 * peaks strictly falling and recompute strictly growing: exactly on little graphs, else by the planner's sources at
 * budgets of its choice. Time: that of `budget` for each of some 24 budgets, with less annealing.
 *
 * @param onFront hears the front whenever a plan found changes it; what it hears last is the answer
 */
export function paretoFront(
  problem: Problem,
  control: Control,
  onFront: ParetoListener = () => undefined,
): readonly ParetoPoint[] {
  const limit = new SearchLimit({ timeLimitSeconds: FRONT_SECONDS }, control);
  const pointOf = new Map<Candidate, ParetoPoint>();
  const points = ({ plans, forwardWork }: PlanFront): readonly ParetoPoint[] =>
    plans.toReversed().map((candidate) => {
      const known = pointOf.get(candidate) ?? describe(problem, candidate, forwardWork);
      pointOf.set(candidate, known);
      return known;
    });
  const planner = new Planner(problem, limit, SEED, (front) => onFront(points(front)));
  planner.explore();
  limit.tick(1);
  return points(planner.front);
}

function describe(
  { graph }: Problem,
  { schedule, peakBytes, recomputeWork }: Candidate,
  forwardWork: number,
): ParetoPoint {
  return {
    peakBytes,
    recomputeFraction: forwardWork > 0 ? recomputeWork / forwardWork : 0,
    plan: {
      applicable: true,
      checkpoints: checkpointsOf(schedule, graph.size),
      schedule,
      paperCostBytes: null,
    },
  };
}
