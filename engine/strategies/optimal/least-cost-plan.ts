import type { DivisionTree } from '../../paper/division-tree.ts';
import { leastCostChoices } from '../../paper/solve-optimal.ts';
import { simulateTotals } from '../../simulate/simulate.ts';
import { planFromCheckpoints, withoutFixed } from '../strategy/from-checkpoints.ts';
import type { Plan, Problem, StrategyOptions } from '../strategy/strategy.ts';

const MAX_CHOICES = 64;
/** Vertices that are simulated for the sake of ties, all choices together. */
const MAX_SIMULATED = 200_000;

/**
 * The plan of least Eq. 2 (or Eq. 1, which it is on linear graphs). The papers leave open which of several sets of equal
 * cost is kept: of those whose largest segments differ, the one whose step has the lowest peak is, then the one of
 * fewest checkpoints. At most 64 are simulated, those of fewest checkpoints, and fewer above 3,125 vertices.
 *
 * @param tree of `problem.view.tensors`
 */
export function leastCostPlan(
  problem: Problem,
  options: StrategyOptions,
  tree: DivisionTree,
  equation: 1 | 2,
): Plan {
  const most = Math.max(1, Math.min(MAX_CHOICES, Math.floor(MAX_SIMULATED / problem.graph.size)));
  const sets = leastCostChoices(tree, most).map(({ checkpoints }) => checkpoints);
  const chosen = sets.length === 1 ? sets[0]! : lowestPeak(problem, options, sets);
  return planFromCheckpoints(problem, options, chosen, { kind: 'least-paper-cost', equation });
}

/** The first of those whose step has the lowest peak. */
function lowestPeak(
  problem: Problem,
  options: StrategyOptions,
  sets: readonly (readonly number[])[],
): readonly number[] {
  const growing = withoutFixed(problem);
  const { graph, memory } = growing;
  const peaks = sets.map((checkpoints) => {
    const { schedule } = planFromCheckpoints(growing, options, checkpoints);
    return simulateTotals(graph, memory, schedule).peakBytes;
  });
  return sets[peaks.indexOf(Math.min(...peaks))]!;
}
