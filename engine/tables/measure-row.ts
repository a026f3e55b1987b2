import { comparisonHead } from '../comparison/head.ts';
import { createProblem } from '../problem.ts';
import { solveRow } from '../strategies/solve.ts';
import type { Problem } from '../strategies/strategy.ts';
import { buildModel } from '../zoo/zoo.ts';

/** Seed of the random baseline in the tables. */
export const TABLE_SEED = 0;

/** What the simulator says of one row of a paper's table. Bytes; null where a strategy does not apply. */
export interface RowFigures {
  readonly problem: Problem;
  readonly savedBytes: number;
  readonly regularPeakBytes: number;
  readonly largestTensorBytes: number;
  readonly randomPeakBytes: number | null;
  readonly chenPeakBytes: number | null;
  readonly optimalPeakBytes: number;
  readonly optimalPaperCost: number;
  /** A share of 1. */
  readonly optimalOverhead: number;
}

/**
 * Solves the strategies of the papers' tables on one network at the size of the row, profile `pytorch`.
 * `chen-greedy` stands for Chen's algorithm: his Algorithm 3, on non-linear networks over the chain of
 * splitting vertices ("manual").
 */
export function measureRow(network: string, batch: number, input: number): RowFigures {
  const graph = buildModel(network, { batch, input });
  const problem = createProblem(graph, 'pytorch');
  const head = comparisonHead(problem, { model: network, batch, input });
  const options = { seed: TABLE_SEED };
  const optimal = solveRow(problem, 'optimal', options);
  return {
    problem,
    savedBytes: head.savedBytes,
    regularPeakBytes: head.regularPeakBytes,
    largestTensorBytes: graph.bytes.reduce((most, bytes) => Math.max(most, bytes), 0),
    randomPeakBytes: solveRow(problem, 'random', options).peakBytes,
    chenPeakBytes: solveRow(problem, 'chen-greedy', options).peakBytes,
    optimalPeakBytes: optimal.peakBytes ?? head.regularPeakBytes,
    optimalPaperCost: optimal.paperCostBytes ?? 0,
    optimalOverhead: optimal.predictedOverhead ?? 0,
  };
}
