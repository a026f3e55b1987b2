import type { Graph } from '../../graph/graph.ts';
import type { TensorView } from '../../graph/tensor-view.ts';
import type { MemoryModel } from '../../ops/memory-model.ts';
import type { LinkedDevice } from '../../offload/link.ts';
import { type OptionName, type OptionValues, optionsThatChange } from '../../options/options.ts';
import type { OPTIONS } from '../../options/table.ts';
import type { Checkpointing } from '../../schedule/checkpointing.ts';
import type { Schedule } from '../../schedule/schedule.ts';
import type { PlanFile } from '../../exchange/plan-file.ts';
import type { Claim } from './claim.ts';
import type { MilpSolver } from '../milp/milp-solver.ts';
import type { SearchStop } from '../search/search-stop.ts';
import type { SourceKey } from '../../sources/sources.ts';

/** Input of a strategy: the graph, the tensors that a step stores under a profile, and the papers' view. */
export interface Problem {
  readonly graph: Graph;
  readonly memory: MemoryModel;
  readonly view: TensorView;
}

/** The options of the table that change plans, with the file of a plan and the link in place of their names. */
export interface StrategyOptions extends Omit<Pick<OptionValues, PlanOption>, 'seed' | 'plan'> {
  /** Any 32-bit integer. */
  readonly seed: number;
  readonly plan?: PlanFile | undefined;
  /** The engine does not bring it along. */
  readonly milpSolver?: MilpSolver | undefined;
  /** Work of a search that asks the MILP solver where no limit is given, in seconds; each has a default. */
  readonly exactSeconds?: number | undefined;
  /** The device and its link to host memory; without one nothing is sent there. */
  readonly link?: LinkedDevice | undefined;
  /** Milliseconds of some clock. The engine has none: without one a limit counts work alone. */
  readonly now?: (() => number) | undefined;
}

/** The options that a strategy may read. The MILP solver and the clock are not told but brought along. */
export type StrategyOption = PlanOption | 'link' | 'linkCopies';
type PlanOption = {
  readonly [Name in OptionName]: (typeof OPTIONS)[Name] extends { readonly changes: 'plan' } ? Name : never;
}[OptionName];

export const STRATEGY_OPTIONS: readonly StrategyOption[] = [
  ...(optionsThatChange('plan') as readonly PlanOption[]),
  'link',
  'linkCopies',
];

/** Traits that hold on every network, for callers, caches and screens. */
export interface StrategyTraits {
  /** The options that change its plan, or the times of its copies. It has none without those that it needs. */
  readonly reads: { readonly [Option in StrategyOption]?: 'takes' | 'needs' };
  /** Needs `milpSolver`: megabytes, loaded only on demand. */
  readonly needsMilpSolver?: true;
  /**
   * One plan serves every batch, because it decides by structure or by sums of tensors, which the batch only
   * scales. The others may weigh bytes that are fixed (batch statistics, a budget) against bytes that grow.
   */
  readonly scalesWithBatch: boolean;
  /** How the planner asks it; up to 2,000 vertices and as a quick one where absent. */
  readonly asSource?: PlanSource;
  /** The papers' Eq. 2 is what it minimises or is compared by, wherever its checkpoints cut the graph as Eq. 2 asks. */
  readonly hasPaperCost: boolean;
}

/** How the planner (planner/planner.ts) asks a strategy for plans. */
export interface PlanSource {
  /** Vertices up to which it is asked. */
  readonly maxVertices: number;
  /** Work of one question, about, in the unit of search/search-limit.ts: what costs less is asked first. */
  readonly looks: (vertices: number) => number;
  /** Answers any number of budgets of one problem, what they share computed once; `plan` is asked where absent. */
  readonly open?: (problem: Problem) => OpenSource;
}

/** A source with what it keeps between questions about one problem. */
export interface OpenSource {
  /** Null where it has no plan within the budget. */
  within(budgetBytes: number, control: Control): Schedule | null;
  /** Plans for budgets of its own choice, for lists that depend on no budget asked for. */
  all(control: Control): Iterable<Schedule>;
  /** The plan of least peak that it was seen to make; null where to look for it takes too long. */
  least?(control: Control): Schedule | null;
}

/** True when all options that it needs are given; the solver comes separately. */
export function isTold(
  { reads }: Pick<StrategyTraits, 'reads'>,
  options: { readonly [Option in StrategyOption]?: unknown },
): boolean {
  return STRATEGY_OPTIONS.every((name) => reads[name] !== 'needs' || options[name] !== undefined);
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
  /** How its segments run; absent where it is not made of segments. */
  readonly checkpointing?: Checkpointing;
  /** Claim about the result (exactness, family searched). */
  readonly claim?: Claim;
  /** Limit that ended the search, and the work it left out. */
  readonly stopped?: SearchStop;
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
export interface Strategy extends StrategyTraits {
  readonly name: string;
  /** Short, for legends. */
  readonly title: string;
  /** The source, as cited. */
  readonly source: string;
  /** The same by key; empty where it is nobody's but ours. */
  readonly cites: readonly SourceKey[];
  /** Guarantee, in one sentence. */
  readonly guarantee: string;
  /** Its use: completes "Take it for …". */
  readonly takeFor: string;
  plan(problem: Problem, options: StrategyOptions, control: Control): Plan | NotApplicable;
}
