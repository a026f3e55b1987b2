import { checkpointsOf, type Candidate } from '../live/candidate.ts';
import type { Control, Plan, Problem } from '../strategy.ts';
import { LeastWork } from './least-work.ts';
import { movesWithin } from './moves.ts';

/** One point of the trade-off between memory and recompute. */
export interface FrontPoint {
  readonly peakBytes: number;
  readonly recomputeFraction: number;
  readonly plan: Plan;
}

/** Budgets tried between the lowest peak of one level and no recompute. */
const BUDGETS = 24;

/**
 * The whole trade-off of a graph: from no recompute to the lowest peak that any schedule known reaches,
 * peaks strictly falling and recompute strictly growing. Budgets lie closer together at the low end,
 * where recompute grows fastest. Time: that of `budget` for each of 24 budgets, with less annealing.
 */
export function paretoFront(problem: Problem, control: Control): FrontPoint[] {
  const search = new LeastWork(problem, { tick: (done) => control.tick(0.3 * done) });
  const low = search.lowest.peakBytes;
  const high = search.regular.peakBytes;
  const moves = movesWithin(problem.graph.size) / 6;
  const candidates: Candidate[] = [search.regular, search.lowest];
  for (let i = 0; i < BUDGETS && high > low; i++) {
    const budget = Math.floor(low * (high / low) ** (i / BUDGETS));
    const tick = (done: number): void => control.tick(0.3 + (0.6 * (i + done)) / BUDGETS);
    candidates.push(search.within(budget, moves, tick));
  }
  candidates.push(...search.nested((done) => control.tick(0.9 + 0.1 * done)));
  control.tick(1);
  const work = problem.graph.flops.some((flops) => flops > 0) ? problem.graph.flops : problem.graph.bytes;
  let total = 0;
  for (let v = 1; v < work.length; v++) total += work[v]!;
  return undominated(candidates).map(({ schedule, peakBytes, recomputeWork }) => ({
    peakBytes,
    recomputeFraction: total > 0 ? recomputeWork / total : 0,
    plan: {
      applicable: true,
      checkpoints: checkpointsOf(schedule, problem.graph.size),
      schedule,
      paperCostBytes: null,
    },
  }));
}

/** By falling peak, those that no other beats or equals in both figures. */
function undominated(candidates: readonly Candidate[]): Candidate[] {
  const sorted = [...candidates].sort(
    (a, b) => a.peakBytes - b.peakBytes || a.recomputeWork - b.recomputeWork,
  );
  const front: Candidate[] = [];
  for (const candidate of sorted) {
    const last = front[front.length - 1];
    if (last === undefined || candidate.recomputeWork < last.recomputeWork) front.push(candidate);
  }
  return front.reverse();
}
