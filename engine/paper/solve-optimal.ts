import { BadInputError } from '../errors.ts';
import { buildDivisionTree } from './build-division-tree.ts';
import type { DivisionTree } from './division-tree.ts';
import { MaxTermEvaluator } from './max-term-evaluator.ts';
import { searchMaxTerm } from './search-max-term.ts';
import type { TensorGraph } from './tensor-graph.ts';

/** Checkpoints and what Eq. 2 charges for them, in the unit of `graph.cost`. */
export interface CheckpointChoice {
  /** Ascending; source and target excluded. */
  readonly checkpoints: readonly number[];
  /** Eq. 2: checkpointCost + maxTerm. */
  readonly cost: number;
  readonly checkpointCost: number;
  /** Cost of the largest segment. */
  readonly maxTerm: number;
}

export interface OptimalSolution extends CheckpointChoice {
  readonly ok: true;
  /** Number of max terms tried. */
  readonly evaluations: number;
  readonly tree: DivisionTree;
}

/**
 * The ACG solver (000, Algorithm 6): the minimum of Eq. 2 over all sets of checkpoints that cut the
 * graph into independent segments. Exact. Ties: fewest checkpoints, then smallest max term; what is
 * still equal is decided by the order of the tree, so the same graph always gives the same answer.
 * Departures from the paper: the tree comes from a linear-time decomposition instead of Algorithms 2-4,
 * max terms are searched instead of listed, and the steps that Algorithm 5 leaves out are done (see
 * `reference/recursive-solver.ts`).
 * Time as `buildDivisionTree`, then O(V + E) for each max term tried; space O(V + E).
 */
export function solveOptimal(graph: TensorGraph): OptimalSolution {
  return solveTree(buildDivisionTree(graph));
}

/** `solveOptimal` for a graph whose division tree is there already. */
export function solveTree(tree: DivisionTree): OptimalSolution {
  const evaluator = new MaxTermEvaluator(tree);
  const { maxTerm, evaluations } = searchMaxTerm((candidate) => evaluator.evaluate(candidate));
  return { ok: true, ...choiceUnder(evaluator, maxTerm), evaluations, tree };
}

/**
 * Choices of least Eq. 2, one for each size that the largest segment has in one; by number of checkpoints, then
 * by largest segment, so that the first is that of `solveTree`. Sets that differ while their largest segments do not
 * are one here. Time that of `solveTree`, and O(V + E) for each that is returned.
 *
 * @param most how many are wanted at most, at least 1
 */
export function leastCostChoices(tree: DivisionTree, most: number): CheckpointChoice[] {
  const evaluator = new MaxTermEvaluator(tree);
  const { ties } = searchMaxTerm((candidate) => evaluator.evaluate(candidate));
  return [...ties]
    .sort((a, b) => a.checkpointCount - b.checkpointCount || a.maxTerm - b.maxTerm)
    .slice(0, most)
    .map(({ limit }) => choiceUnder(evaluator, limit));
}

/**
 * Algorithm 5 (000) under one max term C: the checkpoints of least cost such that no segment costs more
 * than C, in the unit of the graph. What a slider over C shows: from 0 (everything that costs is kept) to
 * `tree.largestSegment[0]` (nothing is). Time and space O(V + E).
 *
 * @throws BadInputError for a max term that is negative or not a number
 */
export function evaluateUnderMaxTerm(tree: DivisionTree, maxTerm: number): CheckpointChoice {
  if (!(maxTerm >= 0))
    throw new BadInputError(`expected a max term of at least 0, got ${maxTerm}`, 'maxTerm');
  return choiceUnder(new MaxTermEvaluator(tree), maxTerm);
}

function choiceUnder(evaluator: MaxTermEvaluator, limit: number): CheckpointChoice {
  const { checkpointCost, maxTerm } = evaluator.evaluate(limit);
  return { checkpoints: evaluator.checkpoints(), cost: checkpointCost + maxTerm, checkpointCost, maxTerm };
}
