import type { Experiment } from '../../app/contract/experiment.ts';
import { linkedDeviceOf } from '../../app/contract/link.ts';
import { isFileNetwork } from '../../app/contract/opened-file.ts';
import {
  requireChunkedLoss,
  requirePipelineSetup,
  requireSplit,
  setupOf,
} from '../../app/contract/training-setup.ts';
import { BadInputError, InfeasibleError } from '../../engine/errors.ts';
import type { PlanFile } from '../../engine/exchange/plan-file.ts';
import type { Graph } from '../../engine/graph/graph.ts';
import { optionsThatChange } from '../../engine/options/options.ts';
import { createProblem } from '../../engine/problem.ts';
import type { LinkedDevice } from '../../engine/offload/link.ts';
import type { MilpSolver } from '../../engine/strategies/milp/milp-solver.ts';
import type { TableRow } from '../../engine/tables/table.ts';
import { strategyOf } from '../../engine/strategies/registry.ts';
import {
  type Control,
  type NotApplicable,
  type Plan,
  type Problem,
  STRATEGY_OPTIONS,
  type StrategyOption,
  type StrategyOptions,
} from '../../engine/strategies/strategy/strategy.ts';
import { inPrecision } from '../../engine/training-memory/precision.ts';
import { type TrainingSetup, weightBytes } from '../../engine/training-memory/setup.ts';
import { languageSettingsOf } from '../../engine/zoo/language/settings.ts';
import { buildModel } from '../../engine/zoo/zoo.ts';
import type { SolvedPlan } from './judge.ts';
import { Lru } from './lru.ts';

/** An experiment without the choices of a screen other than the network. */
export interface Network extends Omit<Experiment, 'strategies'> {
  /** `given` if the executor keeps to its own order, as PyTorch does. */
  readonly order?: 'given' | undefined;
}

/** Opened files, and limits of searches that no experiment states. */
export interface SolverFiles {
  /** @throws BadInputError for a missing file or a size that it lacks */
  build(network: Network, batch: number): Graph;
  /** @throws BadInputError for a missing file */
  plan(name: string): PlanFile | undefined;
  /** The graph with measured times in place of its FLOPs. */
  timed?(graph: Graph): Graph;
  /** True if these times, in nanoseconds, replace FLOPs. */
  readonly isTimed?: boolean;
  /** Default limit of exact searches. */
  readonly exactSeconds?: number;
  /** Clock of time limits, in milliseconds; the wall clock if absent. */
  readonly now?: () => number;
}

const MAX_PROBLEMS = 24;
const MAX_PLANS = 256;
/** More rows than all tables have. */
const MAX_TABLE_ROWS = 256;

/**
 * Cached graphs and plans. If the strategy allows it, the plan for the first requested batch serves every other, so
 * another batch size costs only a simulation.
 */
export class SolverMemory {
  readonly #problems = new Lru<Problem>(MAX_PROBLEMS);
  readonly #plans = new Lru<SolvedPlan>(MAX_PLANS);
  /** Rows of the papers' tables, which depend on no experiment. */
  readonly tableRows = new Lru<TableRow>(MAX_TABLE_ROWS);
  readonly #files: SolverFiles | undefined;
  #milpSolver: MilpSolver | undefined;

  /** @param files for networks and plans from files; readers need Node, which this class does not */
  constructor(files?: SolverFiles) {
    this.#files = files;
  }

  /** Device of an experiment and its link to host memory. */
  link(network: Network): LinkedDevice | undefined {
    const device = linkedDeviceOf(network);
    return device !== undefined && this.#files?.isTimed === true ? { ...device, speed: MEASURED } : device;
  }

  /** Solver for the strategies that need MILP; loaded on demand, because loading takes long. */
  equip(milpSolver: MilpSolver): void {
    this.#milpSolver = milpSolver;
  }

  get milpSolver(): MilpSolver | undefined {
    return this.#milpSolver;
  }

  /**
   * The pipeline stages of which one is the fullest under every plan: of those with the same layers, the first holds the
   * most micro-batches. The network itself where it has no pipeline, or its stage is chosen.
   */
  stages(network: Network): readonly Network[] {
    if (firstStage(network) === network) return [network];
    const { pipeline = 1, batch } = network;
    const found = new Map<string, Network>();
    for (let stage = 1; stage <= pipeline; stage++) {
      const one = { ...network, pipelineStage: stage };
      const { bytes, parameters, operations } = this.problem(one, batch).graph;
      const key = JSON.stringify([Array.from(bytes), Array.from(parameters), operations]);
      if (!found.has(key)) found.set(key, one);
    }
    return [...found.values()];
  }

  /** @throws BadInputError for an unknown network or a size that it does not admit */
  problem(network: Network, batch: number): Problem {
    requireSplit(network);
    requireChunkedLoss(network);
    return this.#problems.get(JSON.stringify([keyOf(network), batch]), () => {
      const built = this.#build(network, batch);
      const graph = network.order === undefined ? built : { ...built, keepsOrder: true };
      return createProblem(this.#files?.timed?.(graph) ?? graph, network.profile);
    });
  }

  #build(network: Network, batch: number): Graph {
    const { model } = network;
    if (this.#files === undefined || !isFileNetwork(model)) return zooGraph(network, batch);
    const graph = this.#files.build(network, batch);
    return inPrecision(graph, setupOf(network, graph.bytesPerElement).precision);
  }

  /** Training setup from the experiment, with defaults from the kind of network. */
  setup(network: Network): TrainingSetup {
    requirePipelineSetup(network);
    return setupOf(network, this.problem(network, 1).graph.bytesPerElement);
  }

  /** @throws BadInputError for an unknown strategy, CancelledError through control */
  plan(network: Network, strategy: string, control: Control): SolvedPlan {
    if (firstStage(network) !== network) return this.#planOfStages(network, strategy, control);
    const { batch, plan: planName } = network;
    const { reads, scalesWithBatch, plan } = strategyOf(strategy);
    const told = STRATEGY_OPTIONS.filter((option) => reads[option] !== undefined);
    const link = this.link(network);
    const values: { readonly [Option in StrategyOption]?: unknown } = { ...network, link };
    const key = JSON.stringify([
      keyOf(network),
      strategy,
      scalesWithBatch ? 0 : batch,
      ...told.map((option) => values[option] ?? null),
    ]);
    return this.#plans.get(key, () => {
      const start = performance.now();
      const problem = this.problem(network, batch);
      const solved = refusalsAsReasons(() => {
        const options: StrategyOptions = {
          ...(Object.fromEntries(told.map((option) => [option, values[option]])) as Partial<StrategyOptions>),
          seed: network.seed,
          plan: reads.plan === undefined || planName === undefined ? undefined : this.#files?.plan(planName),
          timeLimitSeconds: network.timeLimitSeconds,
          exactSeconds: this.#files?.exactSeconds,
          now: this.#files?.now ?? (() => performance.now()),
          milpSolver: this.#milpSolver,
        };
        return plan(problem, options, control);
      });
      return { ...solved, strategy, batch, solveMs: Math.round((performance.now() - start) * 1000) / 1000 };
    });
  }

  /** The plan of the first stage with those of the others, or the refusal of one of them. */
  #planOfStages(network: Network, strategy: string, control: Control): SolvedPlan {
    const ofStages: (readonly [number | undefined, Plan])[] = [];
    let first: SolvedPlan | undefined;
    for (const one of this.stages(network)) {
      const solved = this.plan(one, strategy, control);
      first ??= solved;
      const { plan } = solved;
      if (!plan.applicable) {
        const reason = `stage ${one.pipelineStage}: ${plan.reason}`;
        return { ...solved, plan: { applicable: false, reason } };
      }
      ofStages.push([one.pipelineStage, plan]);
    }
    return { ...first!, ofStages };
  }
}

/** The network at its first stage, where it has a pipeline and none is chosen: plans and graphs are then of that one. */
export const firstStage = <N extends Pick<Network, 'pipeline' | 'pipelineStage'>>(network: N): N =>
  network.pipeline === undefined || network.pipelineStage !== undefined
    ? network
    : { ...network, pipelineStage: 1 };

/** Everything that a network's graph depends on, except the batch. */
export function keyOf(network: Partial<Network>): readonly unknown[] {
  const { model, order = null } = network;
  return [model, order, ...GRAPH_OPTIONS.map((name) => network[name] ?? null)];
}

const GRAPH_OPTIONS = optionsThatChange('graph').filter((name) => name !== 'batch');

/** Replaces FLOPs by measured times, in nanoseconds. */
const MEASURED = { flopsPerSecond: 1e9, secondsPerOperation: 0 };

/** A network of the zoo in the precision of an experiment. @throws BadInputError for a size that it does not admit */
export function zooGraph(network: Network, batch: number, input = network.input): Graph {
  const { model, dropout } = network;
  const { precision } = setupOf(network);
  const graph = buildModel(model, {
    batch,
    bytesPerElement: weightBytes(precision),
    input,
    dropout,
    ...languageSettingsOf(network),
  });
  return inPrecision(graph, precision);
}

/** A strategy without a budget, or one that cannot meet it, becomes a row with the reason; the others continue. */
function refusalsAsReasons(
  plan: () => Plan | NotApplicable,
): Pick<SolvedPlan, 'plan' | 'isInfeasible' | 'leastBytes'> {
  try {
    return { plan: plan(), isInfeasible: false };
  } catch (error) {
    if (error instanceof BadInputError || error instanceof InfeasibleError) {
      const plan = { applicable: false, reason: error.message } as const;
      if (error instanceof BadInputError) return { plan, isInfeasible: false };
      return { plan, isInfeasible: true, leastBytes: error.leastBytes };
    }
    throw error;
  }
}
