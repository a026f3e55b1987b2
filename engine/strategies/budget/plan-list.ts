import { workOf } from '../../graph/graph.ts';
import type { KeepEncoding } from '../search/keep-encoding.ts';
import type { Candidate } from '../search/candidate.ts';
import { undominated } from '../planner/plan-front.ts';
import type { SearchLimit } from '../search/search-limit.ts';
import { unitOf } from '../search/best-cuts.ts';
import type { Problem } from '../strategy/strategy.ts';
import type { LeastRecompute } from './least-recompute.ts';
import { movesWithin } from '../search/annealing-effort.ts';

/** Graphs up to this size have a list. */
const MAX_LISTED = 64;
/** Budgets at which plans are looked for, and how many at least however many edges there are. */
const BUDGETS = 128;
const LEAST_BUDGETS = 16;
/** Edges a vertex up to which it is so many. */
const EDGES = 1.25;
/** Share of the moves that one budget by itself gets. */
const EFFORT = 1 / 6;
/**
 * Share of one forward: smaller differences in recompute count little, however large a share of the recompute they are.
 */
const SMALL_WORK = 0.001;

export function isListed({ graph }: Problem): boolean {
  return graph.size <= MAX_LISTED;
}

/** Gaps narrower than this are left. */
const NARROW = 5e-5;

/** Who looks for plans under one order. */
export interface Listed {
  readonly finder: Pick<LeastRecompute, 'within'>;
  readonly known: readonly KeepEncoding[];
  readonly judged: (keep: KeepEncoding) => Candidate;
}

interface Point {
  readonly plan: Candidate;
  /** Its encoding, under the order of its finder; null when no finder made it. */
  readonly keep: KeepEncoding | null;
  readonly by: number;
  /** Up to which budget a search found nothing better. */
  tried: number;
}

/**
 * A list of plans of falling peak and growing recompute that asks for no budget: what is looked for next follows from
 * what is there. So the answer "of those that fit the one of least recompute" never recomputes more for more bytes:
 * what fits a budget fits every larger one.
 *
 * Each search is for a budget in the widest gap between two neighbours, in the logarithms of peak and recompute, from
 * the cuts of the finders and from what both neighbours keep; a gap is closed once nothing is found right below its upper end.
 * Time: a bounded number of searches, each a share of that for one budget.
 */
export function listPlans(
  problem: Problem,
  known: readonly Candidate[],
  finders: readonly Listed[],
  search: SearchLimit,
  tick: (done: number) => void,
): readonly Candidate[] {
  const { graph } = problem;
  const unit = unitOf(problem);
  const small = SMALL_WORK * workOf(problem.graph).reduce((sum, work) => sum + work, 1);
  const moves = (EFFORT * movesWithin(graph.size)) / finders.length;
  const budgets = budgetsOf(problem);
  const pointOf = (plan: Candidate, keep: KeepEncoding | null, by: number): Point => {
    return { plan, keep, by, tried: plan.peakBytes - unit };
  };
  let front = undominated(
    known.map((plan) => pointOf(plan, null, -1)),
    ({ plan }) => plan,
  );
  for (let i = 0; i < budgets; i++) {
    tick(i / budgets);
    if (search.isReached) {
      search.leave('budgets', i, budgets);
      break;
    }
    const gap = widestGap(front, unit, small);
    if (gap === null) break;
    const [low, high] = gap;
    const middle = Math.floor(Math.sqrt(Math.max(0, low.tried) * high.plan.peakBytes) / unit) * unit;
    const budget = Math.max(low.tried + unit, middle);
    const found: Point[] = [];
    for (const [by, { finder, known, judged }] of finders.entries()) {
      const last = finder.within(budget, known, {
        moves,
        tick: () => undefined,
        ends: gap.flatMap((end) => (end.by === by && end.keep !== null ? [end.keep] : [])),
        onFound: (keep, peak, work) => {
          const isBeaten = [...front, ...found].some(
            ({ plan }) => plan.peakBytes <= peak && plan.recomputeWork <= work,
          );
          if (!isBeaten) found.push(pointOf(judged(keep), keep, by));
        },
      });
      // The curve may say more than the simulator.
      if (last !== null) found.push(pointOf(judged(last), last, by));
    }
    front = undominated([...front, ...found], ({ plan }) => plan);
    const best = front.findLast(({ plan }) => plan.peakBytes <= budget);
    if (best !== undefined) best.tried = Math.max(best.tried, budget);
  }
  return front.map(({ plan }) => plan);
}

/** Fewer budgets for graphs with many edges, because each search takes longer there. */
function budgetsOf({ graph }: Problem): number {
  const share = Math.min(1, (EDGES * graph.size) / graph.edgeCount);
  return Math.max(LEAST_BUDGETS, Math.floor(BUDGETS * share));
}

/** Neighbours between which something may be found, or null. */
function widestGap(front: readonly Point[], unit: number, small: number): [Point, Point] | null {
  let gap: [Point, Point] | null = null;
  let widest = NARROW;
  front.slice(1).forEach((high, k) => {
    const low = front[k]!;
    if (low.tried + unit >= high.plan.peakBytes) return;
    const width =
      Math.log(high.plan.peakBytes / Math.max(1, low.tried)) *
      Math.log((low.plan.recomputeWork + small) / (high.plan.recomputeWork + small));
    if (width <= widest) return;
    widest = width;
    gap = [low, high];
  });
  return gap;
}
