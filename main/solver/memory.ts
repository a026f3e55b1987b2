import type { Experiment } from '../../app/contract/experiment.ts';
import { isFileNetwork } from '../../app/contract/import-file.ts';
import { BadInputError, InfeasibleError } from '../../engine/errors.ts';
import type { PlanFile } from '../../engine/exchange/plan-file.ts';
import type { Graph } from '../../engine/graph/graph.ts';
import { createProblem } from '../../engine/problem.ts';
import type { MilpSolver } from '../../engine/strategies/milp/milp-solver.ts';
import { strategyOf } from '../../engine/strategies/registry.ts';
import type { Control, NotApplicable, Plan, Problem } from '../../engine/strategies/strategy.ts';
import { buildModel } from '../../engine/zoo/zoo.ts';
import type { SolvedPlan } from './judge.ts';
import { Lru } from './lru.ts';

/** An experiment without what a screen chooses beside the network. */
export type Network = Omit<Experiment, 'strategies'>;

/** The files that the lab was given. */
export interface SolverFiles {
  /** @throws BadInputError for a file that is not there or has no such size */
  build(network: Network, batch: number): Graph;
  /** @throws BadInputError for a file that is not there */
  plan(name: string): PlanFile;
}

/**
 * Strategies that decide by structure or by sums of tensors, which the batch only scales, so that one plan
 * serves every batch. All others may weigh bytes that are fixed (batch statistics, a budget) against bytes
 * that grow with the batch, and are asked again for each.
 */
const SCALES_WITH_BATCH: ReadonlySet<string> = new Set([
  'regular',
  'memory-poor',
  'chen-sqrt',
  'chen-greedy',
  'articulation',
  'random',
  'manual',
  'plan',
  'linear-optimal',
  'optimal',
]);
const DEPENDS_ON_SEED: ReadonlySet<string> = new Set(['random']);

const MOST_PROBLEMS = 24;
const MOST_PLANS = 256;
export const BYTES_PER_ELEMENT = { float32: 4, float16: 2 } as const;

/**
 * Graphs and plans that were made already. A plan is made for the first batch that is asked for and
 * serves every other, where the strategy allows, so another batch size costs a simulation only.
 */
export class SolverMemory {
  readonly #problems = new Lru<Problem>(MOST_PROBLEMS);
  readonly #plans = new Lru<SolvedPlan>(MOST_PLANS);
  readonly #files: SolverFiles | undefined;
  #milpSolver: MilpSolver | undefined;

  /** @param files for networks and plans from files; readers need Node, which this class does not */
  constructor(files?: SolverFiles) {
    this.#files = files;
  }

  /** Gives the strategy `milp` its solver, which takes too long to load for those who do not ask for it. */
  equip(milpSolver: MilpSolver): void {
    this.#milpSolver = milpSolver;
  }

  /** @throws BadInputError for an unknown network or a size that it does not admit */
  problem(network: Network, batch: number): Problem {
    return this.#problems.get(JSON.stringify([keyOf(network), batch]), () => {
      const { model, input, dropout, dtype, profile } = network;
      if (this.#files !== undefined && isFileNetwork(model)) {
        return createProblem(this.#files.build(network, batch), profile);
      }
      const graph = buildModel(model, {
        batch,
        bytesPerElement: BYTES_PER_ELEMENT[dtype],
        ...(input === undefined ? {} : { input }),
        ...(dropout === undefined ? {} : { dropout }),
      });
      return createProblem(graph, profile);
    });
  }

  /** @throws BadInputError for an unknown strategy, CancelledError through control */
  plan(network: Network, strategy: string, control: Control): SolvedPlan {
    const { batch, seed, budgetBytes, checkpoints, plan: planName } = network;
    const key = JSON.stringify([
      keyOf(network),
      strategy,
      DEPENDS_ON_SEED.has(strategy) ? seed : 0,
      SCALES_WITH_BATCH.has(strategy) ? 0 : batch,
      strategy === 'budget' ? (budgetBytes ?? 0) : 0,
      strategy === 'manual' ? (checkpoints ?? null) : null,
      strategy === 'plan' ? (planName ?? null) : null,
    ]);
    return this.#plans.get(key, () => {
      const start = performance.now();
      const problem = this.problem(network, batch);
      const plan = refusalsAsReasons(() => {
        const file = strategy === 'plan' && planName !== undefined ? this.#files?.plan(planName) : undefined;
        const options = {
          seed,
          ...(file === undefined ? {} : { plan: file }),
          ...(budgetBytes === undefined ? {} : { budgetBytes }),
          ...(checkpoints === undefined ? {} : { checkpoints }),
          ...(this.#milpSolver === undefined ? {} : { milpSolver: this.#milpSolver }),
        };
        return strategyOf(strategy).plan(problem, options, control);
      });
      return { strategy, plan, batch, solveMs: Math.round((performance.now() - start) * 1000) / 1000 };
    });
  }
}

function keyOf({ model, input, dropout, profile, dtype }: Network): readonly unknown[] {
  return [model, input ?? 0, dropout ?? -1, profile, dtype];
}

/** One strategy that lacks a budget, or cannot meet it, is a row that says so; the others go on. */
function refusalsAsReasons(plan: () => Plan | NotApplicable): Plan | NotApplicable {
  try {
    return plan();
  } catch (error) {
    if (error instanceof BadInputError || error instanceof InfeasibleError) {
      return { applicable: false, reason: error.message };
    }
    throw error;
  }
}
