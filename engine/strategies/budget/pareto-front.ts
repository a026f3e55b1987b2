import { checkpointsOf, type Candidate } from '../live/candidate.ts';
import type { Control, Plan, Problem } from '../strategy.ts';
import { SearchLimit } from '../search-limit.ts';
import { LeastWork } from './least-work.ts';
import { movesOfFront } from './moves.ts';

/** One point of the trade-off between memory and recompute. */
export interface ParetoPoint {
  readonly peakBytes: number;
  readonly recomputeFraction: number;
  readonly plan: Plan;
}

/** What the whole front may take, counted in work: the networks of the zoo need a tenth. */
const FRONT_SECONDS = 60;
/** Of strategies that draw. */
const SEED = 0;

/** The front as far as it is known, by falling peak. */
export type ParetoListener = (front: readonly ParetoPoint[]) => void;

/**
 * The whole trade-off of a graph: from no recompute to the lowest peak that any schedule known reaches,
 * peaks strictly falling and recompute strictly growing. Time: that of `budget` for each of 24 budgets, with less annealing.
 *
 * @param onFront hears the front whenever a plan found changes it; what it hears last is the answer
 */
export function paretoFront(
  problem: Problem,
  control: Control,
  onFront: ParetoListener = () => undefined,
): readonly ParetoPoint[] {
  const limit = new SearchLimit({ timeLimitSeconds: FRONT_SECONDS }, control);
  const search = limit.part(0, 0.3 / 0.4, () => new LeastWork(problem, limit, SEED));
  // The part ends at 0.3 of the whole.
  limit.tick(0.3);
  const budgets = search.frontBudgets;
  const moves = movesOfFront(problem.graph.size);
  const front = new Front(problem, onFront);
  front.offer([search.regular, search.lowest]);
  for (const [i, budget] of budgets.entries()) {
    const tick = (done: number): void => limit.tick(0.3 + (0.6 * (i + done)) / budgets.length);
    front.offer([search.within(budget, { moves, tick })]);
  }
  const tick = (done: number): void => limit.tick(0.9 + 0.1 * done);
  front.offer([...search.found(tick), search.least(tick).least]);
  limit.tick(1);
  return front.points;
}

/** Plans that no other beats, while they are found. */
class Front {
  readonly #problem: Problem;
  readonly #onFront: ParetoListener;
  readonly #totalWork: number;
  readonly #pointOf = new Map<Candidate, ParetoPoint>();
  #candidates: readonly Candidate[] = [];

  constructor(problem: Problem, onFront: ParetoListener) {
    this.#problem = problem;
    this.#onFront = onFront;
    const { flops, bytes } = problem.graph;
    const work = flops.some((value) => value > 0) ? flops : bytes;
    let total = 0;
    for (let v = 1; v < work.length; v++) total += work[v]!;
    this.#totalWork = total;
  }

  get points(): readonly ParetoPoint[] {
    return this.#candidates.map((candidate) => {
      const known = this.#pointOf.get(candidate) ?? this.#describe(candidate);
      this.#pointOf.set(candidate, known);
      return known;
    });
  }

  offer(found: readonly Candidate[]): void {
    const previous = this.#candidates;
    this.#candidates = undominated([...previous, ...found]);
    const isSame =
      previous.length === this.#candidates.length &&
      previous.every((candidate, i) => candidate === this.#candidates[i]);
    if (!isSame) this.#onFront(this.points);
  }

  #describe({ schedule, peakBytes, recomputeWork }: Candidate): ParetoPoint {
    return {
      peakBytes,
      recomputeFraction: this.#totalWork > 0 ? recomputeWork / this.#totalWork : 0,
      plan: {
        applicable: true,
        checkpoints: checkpointsOf(schedule, this.#problem.graph.size),
        schedule,
        paperCostBytes: null,
      },
    };
  }
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
