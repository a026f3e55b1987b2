import { workOf } from '../../graph/graph.ts';
import { lowerBound } from '../../bounds/lower-bound.ts';
import { InfeasibleError } from '../../errors.ts';
import { exactApplies } from '../exact/exact.ts';
import { checkpointsOf, type Candidate } from '../search/candidate.ts';
import type { Control, Plan, Problem } from '../strategy/strategy.ts';
import { SearchLimit } from '../search/search-limit.ts';
import { strategiesAtBudgets } from './strategies-at-budget.ts';
import { type BudgetCandidate, type Effort, LeastWork } from './least-work.ts';
import { movesOfFront } from '../search/annealing-effort.ts';

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

/** Of the budgets, at which the other strategies are asked. */
const EVERY = 3;
/** Below what is reached with each tensor recomputed at most once, where they are asked too. */
const LOW_BUDGETS = 4;

/** The front as far as it is known, by falling peak. */
export type ParetoListener = (front: readonly ParetoPoint[]) => void;

/**
 * The whole trade-off of a graph: from no recompute to the lowest peak that any schedule known reaches,
 * peaks strictly falling and recompute strictly growing: exactly on little graphs, else by the searches of `budget` and by
 * what every registered strategy finds at some of the same budgets. Time: that of `budget` for each of 24 budgets, with
 * less annealing, and of each other strategy at a dozen.
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
  const isWhole = isWalked(problem, search, front, limit);
  if (!isWhole) {
    for (const [i, budget] of budgets.entries()) {
      const tick = (done: number): void => limit.tick(0.3 + (0.4 * (i + done)) / budgets.length);
      front.offer([search.within(budget, { moves, tick })]);
    }
  }
  const tick = (done: number): void => limit.tick(0.7 + 0.1 * done);
  const { least } = search.least(tick);
  front.offer([...search.found(tick), least]);
  limit.tick(0.8);
  // What reaches the lowest peak was looked for by its peak alone.
  const again = within(search, least.peakBytes, { moves, tick: () => limit.tick(0.8), whole: true });
  if (again !== null) front.offer([again]);
  if (!isWhole) {
    const low = between(least.peakBytes, search.lowest.peakBytes, LOW_BUDGETS);
    const shared = budgets.filter((_, i) => i % EVERY === 0);
    const asked = [...low, ...shared, search.regular.peakBytes];
    const told = { seed: SEED, search: limit, tick: (done: number) => limit.tick(0.8 + 0.2 * done) };
    for (const found of strategiesAtBudgets(problem, asked, told)) front.offer([found]);
  }
  limit.tick(1);
  return front.points;
}

/** So many budgets from one up to another, which is left out, closer together at the low end. */
const between = (low: number, high: number, count: number): number[] =>
  low < high ? Array.from({ length: count }, (_, i) => Math.floor(low * (high / low) ** (i / count))) : [];

/** Whether the whole front of a little graph was found, point by point, each exactly. */
function isWalked(problem: Problem, search: LeastWork, front: Front, limit: SearchLimit): boolean {
  if (!exactApplies(problem)) return false;
  const [high, low] = [search.regular.peakBytes, lowerBound(problem).bytes];
  // A budget below the bound is met by nothing.
  for (let budget = high - 1; budget >= low; ) {
    const share = (high - budget) / (high - low);
    const found = within(search, budget, { moves: 0, tick: () => limit.tick(0.3 + 0.4 * share) });
    if (found === null) return true;
    front.offer([found]);
    if (found.claim.kind !== 'exact-recompute') return false;
    budget = found.peakBytes - 1;
  }
  return true;
}

/** Null where no schedule known fits. */
function within(search: LeastWork, budget: number, effort: Effort): BudgetCandidate | null {
  try {
    return search.within(budget, effort);
  } catch (error) {
    if (error instanceof InfeasibleError) return null;
    throw error;
  }
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
    const work = workOf(problem.graph);
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
