import { solveOptimal } from '../../paper/solve-optimal.ts';
import { checkpointSegments } from '../../schedule/checkpoint-segments.ts';
import { oneLevelSchedule } from '../../schedule/one-level.ts';
import type { Control, Problem } from '../strategy.ts';
import { type Candidate, isBetter, judge, judgeKeep } from './candidate.ts';
import { bestCuts } from './best-cuts.ts';
import { createRng } from '../../rng.ts';
import { anneal } from './anneal.ts';
import { Profile } from './profile.ts';
import { Evaluator } from './evaluator.ts';
import { type LiveModel, liveModel } from './live-model.ts';
import { candidateOrders } from './orders.ts';
import { spend } from './spend.ts';

export interface LowestPeak extends Candidate {
  /** What the result is known to be. */
  readonly claim: string;
}

interface Start {
  readonly model: LiveModel;
  readonly keep: Uint8Array;
  readonly peak: number;
}

/** The schedule of lowest peak found with each tensor recomputed at most once; ties by least recompute. */
export function lowestPeak(problem: Problem, control: Control): LowestPeak {
  const orders = candidateOrders(problem.graph);
  const starts: Start[] = [];
  orders.forEach((order, i) => {
    control.tick((0.4 * i) / orders.length);
    const model = liveModel(problem.graph, problem.memory, order);
    const keep = bestCuts(model, () => control.tick((0.4 * i) / orders.length));
    starts.push({ model, keep, peak: new Evaluator(model).evaluate(keep) });
  });
  starts.sort((a, b) => a.peak - b.peak);
  let best = paperOptimum(problem);
  const chosen = starts.slice(0, ANNEALED);
  chosen.forEach(({ model, keep }, i) => {
    const profile = new Profile(model, keep);
    const share = 0.5 / chosen.length;
    const tick = (done: number): void => control.tick(0.4 + share * (i + done));
    const peak = anneal(profile, { moves: movesFor(model) / chosen.length, rng: createRng(SEED), tick });
    const found = profile.keep.slice();
    spend(profile, peak, tick);
    for (const choice of [keep, found, profile.keep]) {
      const candidate = judgeKeep(problem, model, choice);
      if (isBetter(candidate, best)) best = candidate;
    }
  });
  control.tick(1);
  return { ...best, claim: `best paths of cuts of ${orders.length} topological orders` };
}

/** How many of the orders are searched beyond their cuts. */
const ANNEALED = 2;
const SEED = 20210619;

/** Moves of annealing: what takes about a quarter of a second, and little on little graphs. */
function movesFor(model: LiveModel): number {
  const { length } = model.order;
  return Math.max(Math.min(300 * length, 4e7 / length, 60_000), 20_000 * (length > 2000 ? 1 : 0));
}

/** The papers' optimum as one more candidate, so that `live` is never above it. */
function paperOptimum({ graph, memory, view }: Problem): Candidate {
  const { checkpoints } = solveOptimal(view.tensors);
  const plan = checkpointSegments(graph, memory, view, checkpoints);
  return judge({ graph, memory, view }, oneLevelSchedule(graph, memory, plan));
}
