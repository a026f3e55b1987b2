import { type Graph, idOf, vertexOf } from '../graph/graph.ts';
import { createProblem } from '../problem.ts';
import { checkpointSegments } from '../schedule/checkpoint-segments.ts';
import { strategyOf } from '../strategies/registry.ts';
import { NO_CONTROL, type Problem } from '../strategies/strategy/strategy.ts';
import { buildModel } from '../zoo/zoo.ts';
import { CVPR_TABLE_2 } from './paper-tables.ts';

/** The columns of CVPR Table 2 whose training is measured, in its order. */
export const MEASURED_STRATEGIES = ['regular', 'random', 'chen', 'optimal'] as const;
export type MeasuredStrategy = (typeof MEASURED_STRATEGIES)[number];

/** The strategy that stands for a column with checkpoints. */
const STRATEGY_OF = { random: 'random', chen: 'chen-greedy', optimal: 'optimal' } as const;

/** Training plan of a column: checkpoints and the parts that they cut the operations into. */
export interface RowPlan {
  /** Seed of `random` only. */
  readonly seed: number | null;
  /** Ids of the operations whose outputs are checkpoints. */
  readonly checkpoints: readonly string[];
  /** In the order in which they run; `again`: it holds an inner vertex and runs through `checkpoint`. */
  readonly segments: readonly { readonly again: boolean; readonly vertices: readonly number[] }[];
}

/**
 * The plans of a network of the table at the paper's batch and input, profile `pytorch`, segments reentrant as the
 * table has them.
 *
 * @param seeds how many times `random` is drawn
 * @returns none for a strategy that does not apply
 */
export function rowPlans(
  network: string,
  strategy: Exclude<MeasuredStrategy, 'regular'>,
  seeds: number,
): RowPlan[] {
  const paper = CVPR_TABLE_2.find((row) => row.network === network);
  const problem = rowProblem(network, paper?.batch ?? 1, paper?.input ?? 0);
  const drawn = strategy === 'random' ? Array.from({ length: seeds }, (_, seed) => seed) : [null];
  return drawn.flatMap((seed) => {
    const plan = strategyOf(STRATEGY_OF[strategy]).plan(
      problem,
      { seed: seed ?? 0, checkpointing: 'reentrant' },
      NO_CONTROL,
    );
    if (!plan.applicable) return [];
    const { graph, memory, view } = problem;
    const tensors = plan.checkpoints.map((v) => view.tensorOf[v] ?? 0);
    const { segments, joins } = checkpointSegments(graph, memory, view, tensors);
    return [
      {
        seed,
        checkpoints: plan.checkpoints.map((v) => idOf(graph, v)),
        segments: segments.map((vertices) => ({ again: vertices.some((v) => joins?.[v] !== 1), vertices })),
      },
    ];
  });
}

/**
 * A network of the table at any size under the paper's view of it: which operations share a vertex can depend on
 * the size (VGG's average pool), and checkpoints chosen at the paper's size name vertices of that view.
 *
 * @throws BadInputError for a batch or an input that the network does not admit
 */
export function rowProblem(network: string, batch: number, input: number): Problem {
  const paper = CVPR_TABLE_2.find((row) => row.network === network);
  const graph = buildModel(network, { batch, input });
  if (paper === undefined || paper.input === input) return createProblem(graph, 'pytorch');
  const { roles } = buildModel(network, { batch: 1, input: paper.input });
  return createProblem({ ...graph, roles }, 'pytorch');
}

/** Vertices of the papers' graph by the ids of their operations; null where one is of another network. */
export function checkpointsOf({ graph, view }: Problem, ids: readonly string[]): number[] | null {
  const tensors = ids.map((id) => tensorOf(graph, view.tensorOf, id));
  return tensors.includes(-1) ? null : tensors;
}

function tensorOf(graph: Graph, tensors: Int32Array, id: string): number {
  const v = vertexOf(graph, id);
  return v < 0 ? -1 : (tensors[v] ?? -1);
}
