import { solveOptimal } from '../../paper/solve-optimal.ts';
import { checkpointSegments } from '../../schedule/checkpoint-segments.ts';
import { oneLevelSchedule } from '../../schedule/one-level.ts';
import type { Control, Problem } from '../strategy.ts';
import { type Candidate, isBetter, judge, judgeKeep } from './candidate.ts';
import { bestCuts } from './best-cuts.ts';
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
    control.tick((0.6 * i) / orders.length);
    const model = liveModel(problem.graph, problem.memory, order);
    const keep = bestCuts(model, () => control.tick((0.6 * i) / orders.length));
    starts.push({ model, keep, peak: new Evaluator(model).evaluate(keep) });
  });
  starts.sort((a, b) => a.peak - b.peak);
  let best = paperOptimum(problem);
  for (const { model, keep, peak } of starts.slice(0, 2)) {
    control.tick(0.7);
    spend(new Evaluator(model), keep, peak);
    const candidate = judgeKeep(problem, model, keep);
    if (isBetter(candidate, best)) best = candidate;
  }
  control.tick(1);
  return { ...best, claim: `best paths of cuts of ${orders.length} topological orders` };
}

/** The papers' optimum as one more candidate, so that `live` is never above it. */
function paperOptimum({ graph, memory, view }: Problem): Candidate {
  const { checkpoints } = solveOptimal(view.tensors);
  const plan = checkpointSegments(graph, memory, view, checkpoints);
  return judge({ graph, memory, view }, oneLevelSchedule(graph, memory, plan));
}
