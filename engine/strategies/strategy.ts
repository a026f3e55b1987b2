import type { Graph } from '../graph/graph.ts';
import type { TensorView } from '../graph/tensor-view.ts';
import type { MemoryModel } from '../ops/memory-model.ts';
import type { Schedule } from '../schedule/schedule.ts';
import type { PlanFile } from '../exchange/plan-file.ts';
import type { Claim } from './claim.ts';
import type { MilpSolver } from './milp/milp-solver.ts';

/** What a strategy looks at: the graph, what a step stores under a profile, and the papers' view. */
export interface Problem {
  readonly graph: Graph;
  readonly memory: MemoryModel;
  readonly view: TensorView;
}

export interface StrategyOptions {
  /** Seed of `random`; any 32-bit integer. */
  readonly seed: number;
  /** For `budget`: the most live bytes that the step may hold (activations, gradients, auxiliaries). */
  readonly budgetBytes?: number;
  /** For `manual`: ids of the user's checkpoints. */
  readonly checkpoints?: readonly string[];
  /** For `plan`: the file. */
  readonly plan?: PlanFile;
  /** For `revolve`, `bptt`: how many checkpoints may be held at once. */
  readonly slots?: number;
  /** For `milp`: the solver, which the engine does not bring along, and how long it may take. */
  readonly milpSolver?: MilpSolver;
  readonly timeLimitSeconds?: number;
}

/** How long work reports and stops. Strategies that end in milliseconds may ignore it. */
export interface Control {
  /** Throws CancelledError when the caller asked to stop; reports a share done in [0, 1]. */
  tick(done: number): void;
}

export const NO_CONTROL: Control = { tick: () => undefined };

export interface Plan {
  readonly applicable: true;
  /** Operations whose outputs stay from the first forward until used in backward; sorted. */
  readonly checkpoints: readonly number[];
  readonly schedule: Schedule;
  /** Eq. 2 in bytes, for strategies that choose checkpoints on the papers' graph; else null. */
  readonly paperCostBytes: number | null;
  /** What the result is known to be (exactness, family searched). */
  readonly claim?: Claim;
}

export interface NotApplicable {
  readonly applicable: false;
  /** One sentence that says why, with vertex ids where there are any. */
  readonly reason: string;
}

/**
 * Everything that picks what to keep. Deterministic: the same problem and options give the same plan.
 * @throws CancelledError through control, InfeasibleError when a budget cannot be met,
 *   BadInputError for options that make no sense.
 */
export interface Strategy {
  readonly name: string;
  /** Short, for legends. */
  readonly title: string;
  /** The source, as cited. */
  readonly source: string;
  /** What is guaranteed, in one sentence. */
  readonly guarantee: string;
  /** Whether the papers' Eq. 2 is what it minimises or is compared by. */
  plan(problem: Problem, options: StrategyOptions, control: Control): Plan | NotApplicable;
}
