import { lowerBound } from '../../bounds/lower-bound.ts';
import { solveOptimal } from '../../paper/solve-optimal.ts';
import { createRng } from '../../rng.ts';
import { checkpointSegments } from '../../schedule/checkpoint-segments.ts';
import { oneLevelSchedule } from '../../schedule/one-level.ts';
import type { Claim } from '../claim.ts';
import type { Control, Problem } from '../strategy.ts';
import { annealPeak, annealWork } from './anneal.ts';
import type { Choices } from './choice.ts';
import { bestCuts } from './best-cuts.ts';
import { type Candidate, isBetter, judge, judgeKeep } from './candidate.ts';
import { exactApplies, exactSearch } from './exact.ts';
import { type LiveModel, liveModel } from './live-model.ts';
import { cutAtLowerSets, fewLowerSets } from './lower-sets.ts';
import { candidateOrders } from './orders.ts';
import { ByteCurve } from './byte-curve.ts';
import { spend } from './spend.ts';

/** An order, and what is kept under it for the lowest peak found. */
export interface KeptOrder {
  readonly model: LiveModel;
  readonly keep: Choices;
  readonly peak: number;
}

export interface LowestPeak extends Candidate {
  /** What the result is known to be. */
  readonly claim: Claim;
  /** The orders searched furthest, for searches that go on from here. */
  readonly choices: readonly KeptOrder[];
}

/** Orders this share above the best one are not pursued. */
const SLACK = 1.05;
/** Runs of annealing; which order each starts from, by its cuts (-1: from the best result so far). */
const RUNS = [0, 1, 0, 2, 0, 0, -1];
const SEED = 20210619;

/** The schedule of lowest peak found with each tensor recomputed at most once; ties by least recompute. */
export function lowestPeak(problem: Problem, control: Control): LowestPeak {
  const starts = cutsOfOrders(problem, (done) => control.tick(0.4 * done));
  control.tick(0.4);
  // They cut under orders of their own.
  const sets = problem.graph.keepsOrder ? null : fewLowerSets(problem);
  control.tick(0.4);
  if (sets !== null && sets.length > problem.graph.size) {
    const { model, peak } = starts[0]!;
    const tick = (): void => control.tick(0.4);
    const cuts = cutAtLowerSets(problem, sets, model.order, peak, tick);
    // The same segments under an order that no other list had.
    if (cuts !== null && cuts.peak < peak) starts.unshift(startOf(problem, cuts.order, peak, tick)!);
  }
  const bound = lowerBound(problem).bytes;
  let best = paperOptimum(problem);
  control.tick(0.4);
  const offer = ({ model, keep }: KeptOrder): void => {
    const candidate = judgeKeep(problem, model, keep);
    if (isBetter(candidate, best)) best = candidate;
  };
  for (const start of starts.slice(0, 2)) offer(start);
  const exact = exactApplies(problem) ? exactSearch(problem, best, bound) : null;
  if (exact !== null) {
    if (exact.schedule !== null) best = judge(problem, exact.schedule);
    return { ...best, choices: starts.slice(0, 1), claim: { kind: 'exact-peak' } };
  }
  let choices: KeptOrder[] = [starts[0]!];
  RUNS.forEach((run, i) => {
    const start = (run < 0 ? choices[0] : starts[run]) ?? starts[0]!;
    const tick = (done: number): void => control.tick(0.4 + (0.4 * (i + done)) / RUNS.length);
    if (choices[0]!.peak > bound)
      choices.push(improve(start, movesFor(start.model) / RUNS.length, SEED + i, tick));
    choices = choices.sort((a, b) => a.peak - b.peak);
  });
  choices[0] = saveWork(choices[0]!, movesFor(choices[0]!.model) / RUNS.length, (done) =>
    control.tick(0.8 + 0.2 * done),
  );
  choices.forEach(offer);
  control.tick(1);
  return { ...best, choices, claim: claimOf(best.peakBytes, bound, starts.length, sets?.length ?? 0) };
}

/** The orders worth pursuing with their best cuts, lowest peak first. */
function cutsOfOrders(problem: Problem, tick: (done: number) => void): KeptOrder[] {
  const starts: KeptOrder[] = [];
  let least = Number.POSITIVE_INFINITY;
  candidateOrders(problem.graph).forEach((order, i, orders) => {
    const start = startOf(problem, order, least * SLACK, () => tick(i / orders.length));
    if (start === null) return;
    least = Math.min(least, start.peak);
    starts.push(start);
  });
  return starts.sort((a, b) => a.peak - b.peak);
}

function startOf(problem: Problem, order: Int32Array, ceiling: number, tick: () => void): KeptOrder | null {
  const model = liveModel(problem.graph, problem.memory, order);
  const found = bestCuts(model, ceiling, tick);
  return found === null ? null : { model, ...found };
}

/** Anneals towards a lower peak. */
function improve(
  { model, keep }: KeptOrder,
  moves: number,
  seed: number,
  tick: (done: number) => void,
): KeptOrder {
  const curve = new ByteCurve(model, keep);
  const peak = annealPeak(curve, { moves, rng: createRng(seed), tick });
  return { model, keep: curve.keep.slice(), peak };
}

/** Spends what is free below the peak on less recompute. */
function saveWork({ model, keep, peak }: KeptOrder, moves: number, tick: (done: number) => void): KeptOrder {
  const curve = new ByteCurve(model, keep);
  spend(curve, peak, () => tick(0));
  annealWork(curve, peak, { moves, rng: createRng(SEED), tick });
  spend(curve, peak, () => tick(1));
  return { model, keep: curve.keep.slice(), peak };
}

/** Moves of annealing: what takes about a quarter of a second, and little on little graphs. */
function movesFor(model: LiveModel): number {
  const { length } = model.order;
  return length > 2000 ? 20_000 : Math.min(30 * length * length, 4e7 / length, 100_000);
}

/** The papers' optimum as one more candidate, so that `live` is never above it. */
export function paperOptimum({ graph, memory, view }: Problem): Candidate {
  const { checkpoints } = solveOptimal(view.tensors);
  const plan = checkpointSegments(graph, memory, view, checkpoints);
  return judge({ graph, memory, view }, oneLevelSchedule(graph, memory, plan));
}

function claimOf(peak: number, bound: number, orders: number, lowerSets: number): Claim {
  if (peak <= bound) return { kind: 'peak-at-bound' };
  return lowerSets > 0
    ? { kind: 'annealed-from-lower-sets', lowerSets }
    : { kind: 'annealed-from-cuts', orders };
}
