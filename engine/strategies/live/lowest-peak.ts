import { lowerBound } from '../../bounds/lower-bound.ts';
import { buildDivisionTree } from '../../paper/build-division-tree.ts';
import { createRng } from '../../rng.ts';
import type { Claim } from '../strategy/claim.ts';
import { ExactSearch, exactApplies } from '../exact/exact.ts';
import { leastCostPlan } from '../optimal/least-cost-plan.ts';
import type { SearchLimit } from '../search/search-limit.ts';
import type { Problem } from '../strategy/strategy.ts';
import { type AnnealOptions, annealPeak, annealWork } from '../search/anneal.ts';
import { bestCuts } from '../search/best-cuts.ts';
import {
  type Candidate,
  isBetter,
  isTwiceAtMost,
  judge,
  judgeKeep,
  type KeptOrder,
} from '../search/candidate.ts';
import { type LiveModel, liveModel } from '../search/live-model.ts';
import { cutAtLowerSets, fewLowerSets } from '../search/lower-sets.ts';
import { isLarge, LARGE } from '../search/size-threshold.ts';
import { candidateOrders, MAX_ORDERS } from '../search/orders.ts';
import { ByteCurve } from '../search/byte-curve.ts';
import { keepMoreWithin } from '../search/keep-more-within.ts';
import { bestStages } from '../search/stage-path.ts';

export interface LowestPeak extends Candidate {
  /** Claim about the result. */
  readonly claim: Claim;
  /** The orders searched furthest, for searches that go on from here. */
  readonly choices: readonly KeptOrder[];
  /** Lowest of those found from cuts: at larger budgets it leads further than those from stages. */
  readonly fromCuts: KeptOrder;
  /** The papers' optimum. */
  readonly paper: Candidate;
}

/** Orders this share above the best one are not pursued; of large graphs, none that is not better. */
const SLACK = 1.05;
/** Runs of annealing; which order each starts from, by its cuts (-1: from the best result so far). */
const RUNS = [0, 1, 0, 2, 0, 0, -1];
/** Longer runs that copy what is kept of a stretch to others like it, by where they start: if there is no plan by stages. */
const COPY_RUNS = [0, -1];
const COPY_LENGTH = 3;
const COPIES = 0.5;
/** With one from the best plan by stages, and one from there. */
const MAX_RUNS = RUNS.length + 2;
const SEED = 20210619;

/** A search that came to its end, without what it heard from others. */
interface Ended extends Pick<LowestPeak, 'paper' | 'choices' | 'fromCuts'> {
  /** By the search, before and after it would ask others; none after an exact one. */
  readonly before: readonly Candidate[];
  readonly after: readonly Candidate[] | null;
  readonly claimOf: (peakBytes: number) => Claim;
  /** Work of the search. */
  readonly looks: number;
}

/** Work of asking others, at most: a search is only shared where a new one would not end early. */
const MAX_LOOKS_OF_OTHERS = 2e8;

const ended = new WeakMap<Problem, Ended>();

/**
 * The schedule of lowest peak found with each tensor recomputed at most once; ties by least recompute. A search that no
 * limit cut short is done once for each problem, and counts its work each time, so that the plan does not depend on the order of callers.
 *
 * @param plansOfOthers plans that it is not to be above where they are of this class; asked for where nothing is exact
 */
export function lowestPeak(
  problem: Problem,
  search: SearchLimit,
  plansOfOthers: () => readonly Candidate[],
): LowestPeak {
  let others: readonly Candidate[] | null = null;
  const found = search.once(ended, problem, MAX_LOOKS_OF_OTHERS, () =>
    searched(problem, search, () => {
      others = plansOfOthers();
    }),
  );
  search.tick(1);
  const { before, after, paper, choices, fromCuts } = found;
  const ofClass = (other: Candidate): boolean => isTwiceAtMost(other.schedule, problem.graph.size);
  const plans =
    after === null ? before : [...before, ...(others ?? plansOfOthers()).filter(ofClass), ...after];
  const best = plans.reduce((a, b) => (isBetter(b, a) ? b : a));
  return { ...best, paper, choices, fromCuts, claim: found.claimOf(best.peakBytes) };
}

/** @param askOthers does so; its work is not the search's */
function searched(problem: Problem, search: SearchLimit, askOthers: () => void): Ended {
  let began = search.looksSpent;
  const paper = paperOptimum(problem);
  const starts = cutsOfOrders(problem, paper.peakBytes, search);
  search.tick(0.4);
  // They cut under orders of their own.
  const sets = problem.graph.keepsOrder ? null : fewLowerSets(problem);
  search.tick(0.4);
  let cutSets = sets?.length ?? 0;
  if (sets !== null && sets.length > problem.graph.size) {
    const { model, peak } = starts[0]!;
    const cuts = cutAtLowerSets(problem, sets, model.order, peak, search);
    if (search.isReached) cutSets = 0;
    // The same segments under an order that no other list had.
    const own = cuts !== null && cuts.peak < peak ? startOf(problem, cuts.order, peak, peak, search) : null;
    if (own !== null) starts.unshift(own);
  }
  const bound = lowerBound(problem).bytes;
  search.tick(0.4);
  const judged = ({ model, keep }: KeptOrder): Candidate => judgeKeep(problem, model, keep);
  const before = [paper, ...starts.slice(0, 2).map(judged)];
  if (exactApplies(problem)) {
    const best = before.reduce((a, b) => (isBetter(b, a) ? b : a));
    const exact = new ExactSearch(problem, search).twice(best, bound);
    if (exact !== null) {
      return {
        before: exact.schedule === null ? before : [judge(problem, exact.schedule)],
        after: null,
        paper,
        choices: [starts[0]!],
        fromCuts: starts[0]!,
        claimOf: () => ({ kind: 'exact-peak' }),
        looks: search.looksSpent - began,
      };
    }
  }
  const asked = search.looksSpent;
  askOthers();
  began += search.looksSpent - asked;
  let choices: KeptOrder[] = [starts[0]!];
  const from = starts[0]!;
  let run = 0;
  let shareAt = (runs: number): number => 0.4 + (0.4 * runs) / MAX_RUNS;
  const tick = (done: number): void => search.tick(shareAt(run + done));
  const anneal = (start: KeptOrder, length = 1, copies = 0): void => {
    const moves = (length * movesFor(start.model)) / RUNS.length;
    if (search.isReached) {
      search.leave('moves', 0, moves);
      return;
    }
    const rng = createRng(SEED + run);
    if (choices[0]!.peak > bound) choices.push(improve(start, { moves, copies, rng, search, tick }));
    choices = choices.sort((a, b) => a.peak - b.peak);
    run++;
  };
  const startAt = (place: number): KeptOrder => (place < 0 ? choices[0] : starts[place]) ?? starts[0]!;
  for (const place of RUNS) anneal(startAt(place));
  let fromCuts = choices[0]!;
  const isDone = search.isReached || fromCuts.peak <= bound || isLarge(from.model);
  const models = starts.map(({ model }) => model);
  const stages = isDone ? null : bestStages(models, bound, SLACK * from.peak, search);
  if (stages !== null && stages.peak <= SLACK * choices[0]!.peak) {
    anneal(stages);
    if (choices[0] !== fromCuts) anneal(choices[0]!);
  }
  const saveWorkOfBest = (): void => {
    if (search.isReached) return;
    const moves = movesFor(choices[0]!.model) / RUNS.length;
    choices[0] = saveWork(choices[0]!, moves, search, tick);
    run++;
  };
  const copies = stages === null && !isDone ? COPY_RUNS : [];
  const last = copies.length > 0 ? copies.length + 2 : 1;
  const first = run;
  shareAt = (runs) => 0.8 + (0.2 * (runs - first)) / last;
  const isFromCuts = choices[0] === fromCuts;
  saveWorkOfBest();
  if (isFromCuts) fromCuts = choices[0]!;
  const saved = choices[0];
  for (const place of copies) anneal(startAt(place), COPY_LENGTH, COPIES);
  if (choices[0] !== saved) saveWorkOfBest();
  // Each takes about a second to judge on a large graph.
  const worth = isLarge(choices[0]!.model) ? choices.slice(0, 1) : choices;
  const after = worth.filter((choice) => choice !== from).map(judged);
  const orders = starts.filter(({ isLeast }) => isLeast).length;
  return {
    before,
    after,
    paper,
    choices,
    fromCuts,
    claimOf: (peakBytes) => claimOf(peakBytes, bound, orders, cutSets),
    looks: search.looksSpent - began,
  };
}

/** The orders worth pursuing with their best cuts, lowest peak first. */
function cutsOfOrders(problem: Problem, hint: number, search: SearchLimit): Start[] {
  const starts: Start[] = [];
  let least = Number.POSITIVE_INFINITY;
  let tried = 0;
  const slack = problem.graph.size > LARGE ? 1 - 1e-9 : SLACK;
  for (const order of candidateOrders(problem.graph)) {
    const start = startOf(problem, order, least * slack, hint, search);
    if (search.isReached) {
      search.leave('orders', tried, problem.graph.keepsOrder ? 1 : MAX_ORDERS);
      if (start !== null) starts.push(start);
      break;
    }
    search.tick((0.4 * ++tried) / MAX_ORDERS);
    if (start === null) continue;
    least = Math.min(least, start.peak);
    starts.push(start);
  }
  return starts.sort((a, b) => a.peak - b.peak);
}

interface Start extends KeptOrder {
  readonly isLeast: boolean;
}

function startOf(
  problem: Problem,
  order: Int32Array,
  ceiling: number,
  hint: number,
  search: SearchLimit,
): Start | null {
  const model = liveModel(problem.graph, problem.memory, order);
  const found = bestCuts(model, ceiling, hint, search);
  return found === null ? null : { model, ...found };
}

/** Anneals towards a lower peak. */
function improve({ model, keep }: KeptOrder, options: AnnealOptions): KeptOrder {
  const curve = new ByteCurve(model, keep);
  const peak = annealPeak(curve, options);
  return { model, keep: curve.keep.slice(), peak };
}

/** Spends what is free below the peak on less recompute. */
function saveWork(
  { model, keep, peak }: KeptOrder,
  moves: number,
  search: SearchLimit,
  tick: (done: number) => void,
): KeptOrder {
  const curve = new ByteCurve(model, keep);
  keepMoreWithin(curve, peak, search);
  annealWork(curve, peak, { moves, rng: createRng(SEED), search, tick });
  keepMoreWithin(curve, peak, search);
  return { model, keep: curve.keep.slice(), peak };
}

/** Moves of annealing: what takes about a quarter of a second, and little on little graphs; on large ones a second. */
function movesFor(model: LiveModel): number {
  const { length } = model.order;
  return isLarge(model)
    ? Math.min(20_000, 1e8 / length)
    : Math.min(30 * length * length, 4e7 / length, 100_000);
}

/** The papers' optimum as one more candidate, so that `live` is never above it. */
export function paperOptimum(problem: Problem): Candidate {
  const { schedule } = leastCostPlan(problem, { seed: SEED }, buildDivisionTree(problem.view.tensors), 2);
  return judge(problem, schedule);
}

function claimOf(peak: number, bound: number, orders: number, lowerSets: number): Claim {
  if (peak <= bound) return { kind: 'peak-at-bound' };
  if (orders === 0) return { kind: 'best-found' };
  return lowerSets > 0
    ? { kind: 'annealed-from-lower-sets', lowerSets }
    : { kind: 'annealed-from-cuts', orders };
}
