import { lowerBound } from '../../bounds/lower-bound.ts';
import { solveOptimal } from '../../paper/solve-optimal.ts';
import { createRng } from '../../rng.ts';
import { checkpointSegments } from '../../schedule/checkpoint-segments.ts';
import { oneLevelSchedule } from '../../schedule/one-level.ts';
import type { Control, Problem } from '../strategy.ts';
import { annealPeak } from './anneal.ts';
import { bestCuts } from './best-cuts.ts';
import { type Candidate, isBetter, judge, judgeKeep } from './candidate.ts';
import { Evaluator } from './evaluator.ts';
import { exactApplies, exactSearch } from './exact.ts';
import { type LiveModel, liveModel } from './live-model.ts';
import { candidateOrders } from './orders.ts';
import { Profile } from './profile.ts';
import { spend } from './spend.ts';

/** An order, and what is kept under it for the lowest peak found. */
export interface Choice {
  readonly model: LiveModel;
  readonly keep: Uint8Array;
  readonly peak: number;
}

export interface LowestPeak extends Candidate {
  /** What the result is known to be. */
  readonly claim: string;
  /** The orders searched furthest, for searches that go on from here. */
  readonly choices: readonly Choice[];
}

/** How many of the orders are searched beyond their cuts. */
const ANNEALED = 2;
const SEED = 20210619;

/** The schedule of lowest peak found with each tensor recomputed at most once; ties by least recompute. */
export function lowestPeak(problem: Problem, control: Control): LowestPeak {
  const { starts, orders } = cutsOfOrders(problem, (done) => control.tick(0.4 * done));
  const bound = lowerBound(problem).bytes;
  let best = paperOptimum(problem);
  const offer = ({ model, keep }: Choice): void => {
    const candidate = judgeKeep(problem, model, keep);
    if (isBetter(candidate, best)) best = candidate;
  };
  for (const start of starts.slice(0, ANNEALED)) offer(start);
  const exact = exactApplies(problem) ? exactSearch(problem, best, bound) : null;
  if (exact !== null) {
    if (exact.schedule !== null) best = judge(problem, exact.schedule);
    return { ...best, choices: starts.slice(0, 1), claim: EXACT };
  }
  const choices = starts.slice(0, ANNEALED).map((start, i, chosen) => {
    const tick = (done: number): void => control.tick(0.4 + (0.6 * (i + done)) / chosen.length);
    return improve(start, movesFor(start.model) / chosen.length, tick);
  });
  choices.sort((a, b) => a.peak - b.peak);
  choices.forEach(offer);
  control.tick(1);
  return { ...best, choices, claim: claimOf(best.peakBytes, bound, orders) };
}

/** Every order with its best cuts, lowest peak first. */
function cutsOfOrders(problem: Problem, tick: (done: number) => void): { starts: Choice[]; orders: number } {
  const orders = candidateOrders(problem.graph);
  const starts = orders.map((order, i) => {
    const model = liveModel(problem.graph, problem.memory, order);
    const keep = bestCuts(model, () => tick(i / orders.length));
    return { model, keep, peak: new Evaluator(model).evaluate(keep) };
  });
  return { starts: starts.sort((a, b) => a.peak - b.peak), orders: orders.length };
}

/** Anneals towards a lower peak, then spends what is free below it on less recompute. */
function improve(start: Choice, moves: number, tick: (done: number) => void): Choice {
  const profile = new Profile(start.model, start.keep);
  const peak = annealPeak(profile, { moves, rng: createRng(SEED), tick });
  spend(profile, peak, () => tick(1));
  return { model: start.model, keep: profile.keep.slice(), peak };
}

/** Moves of annealing: what takes about a quarter of a second, and little on little graphs. */
function movesFor(model: LiveModel): number {
  const { length } = model.order;
  return length > 2000 ? 20_000 : Math.min(300 * length, 4e7 / length, 60_000);
}

/** The papers' optimum as one more candidate, so that `live` is never above it. */
export function paperOptimum({ graph, memory, view }: Problem): Candidate {
  const { checkpoints } = solveOptimal(view.tensors);
  const plan = checkpointSegments(graph, memory, view, checkpoints);
  return judge({ graph, memory, view }, oneLevelSchedule(graph, memory, plan));
}

const EXACT =
  'Exact: no schedule that forwards each vertex at most twice has a lower peak, nor this peak with less recompute.';

function claimOf(peak: number, bound: number, orders: number): string {
  if (peak <= bound) return 'The peak is optimal: it meets the lower bound of every schedule.';
  const count = `${orders} topological ${orders === 1 ? 'order' : 'orders'}`;
  return `The best found: exact over the paths of cuts of ${count}, then annealed.`;
}
