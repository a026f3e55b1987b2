import { existsSync } from 'node:fs';
import { formatBytes } from '../../engine/bytes.ts';
import { USUAL_CONTEXT_GIB } from '../../engine/devices/devices.ts';
import { BadInputError } from '../../engine/errors.ts';
import type { Coverage } from '../../engine/exchange/coverage.ts';
import type { PlanFile } from '../../engine/exchange/plan-file.ts';
import type { Graph } from '../../engine/graph/graph.ts';
import { timedGraph } from '../../engine/graph/timed-graph.ts';
import type { LinkedDevice } from '../../engine/offload/link.ts';
import type { Problem } from '../../engine/strategies/strategy/strategy.ts';
import { OPTIMIZER_NAMES } from '../../engine/training-memory/optimizers.ts';
import { MAX_ACCUMULATE, PRECISIONS } from '../../engine/training-memory/setup.ts';
import { isModelName, nearestModels } from '../../engine/zoo/zoo.ts';
import { FileNetworks } from '../../main/solver/file-networks.ts';
import { type Network, type SolverFiles, SolverMemory } from '../../main/solver/memory.ts';
import { Solver } from '../../main/solver/solver.ts';
import { fileSource } from '../bridges/file-source.ts';
import { type CostsFile, parseCostsFile, timesOfGraph } from '../bridges/costs-file.ts';
import { aboutFile, importFile, importPlan } from '../bridges/import-file.ts';
import { jsonText } from '../bridges/json-guard.ts';
import {
  checkpointingSchema,
  dtypeSchema,
  MAX_BATCH,
  MAX_INPUT,
  MAX_SEGMENTS,
  profileSchema,
} from '../contract/experiment.ts';
import { fileNetworkName, planName } from '../contract/opened-file.ts';
import { type LinkFlags, linkOf } from './link.ts';
import { parseBytes, parseIds, parseName, parseRate, parseSeconds, parseWhole } from './options.ts';
import { MAX_COSTS_FILE_BYTES } from '../../engine/exchange/read-limits.ts';

/** Options that say which network at which size, as commander gives them. */
export interface NetworkFlags {
  readonly batch?: string;
  readonly input?: string;
  readonly dropout?: string;
  readonly profile?: string;
  readonly dtype?: string;
  readonly checkpointing?: string;
  readonly precision?: string;
  readonly optimizer?: string;
  readonly optimizerState?: string;
  readonly accumulate?: string;
  readonly gradients?: string;
}

/** Options that say how much memory there is. */
export interface MemoryFlags {
  readonly memory: string;
  readonly context?: string;
}

/** And what a strategy is told. */
export interface StrategyFlags extends NetworkFlags, LinkFlags {
  readonly strategy?: string;
  readonly budget?: string;
  readonly checkpoints?: string;
  readonly slots?: string;
  readonly segments?: string;
  readonly timeLimit?: string;
  readonly seed?: string;
  readonly plan?: string;
  readonly costs?: string;
  readonly json?: boolean;
}

/** What a command asks about, and the lab's solver in this process. */
export interface Asked {
  readonly solver: Solver;
  /** The network at its batch, for what is asked of the engine itself. */
  readonly problem: () => Problem;
  /** An experiment but for its strategies. */
  readonly network: Network;
  /** The zoo's name, or the one that a file gives. */
  readonly title: string;
  readonly isFile: boolean;
  /** What a capture saw of the model; null of other networks. */
  readonly coverage: Coverage | null;
  /** What a reader of a file's figures has to know, in sentences. */
  readonly notices: readonly string[];
  /** What transfers are timed by; absent where none was named. */
  readonly link?: LinkedDevice;
  /** Where the times come from that strategies weigh operations by; absent where they weigh FLOPs. */
  readonly costs?: CostsOrigin;
}

export type CostsOrigin = Pick<CostsFile, 'backend' | 'device' | 'batch' | 'input'>;

/** An experiment names its plan, and there is one. */
const GIVEN_PLAN = planName('0'.repeat(16));

/**
 * A network of the zoo by name, or a file by path: zigzag-graph/1, ONNX, or a Keras or TensorFlow.js model.json.
 *
 * @throws BadInputError that names the option, or the nearest names for an unknown network
 */
export function openNetwork(
  target: string,
  flags: StrategyFlags,
  limits: Pick<SolverFiles, 'exactSeconds' | 'now'> = {},
): Asked {
  const isFromFile = isFile(target);
  if (isFromFile) refuseFixed(flags);
  else if (!isModelName(target)) throw unknownNetwork(target);
  // Unless told, a file is taken with the samples that it was captured with.
  const about = isFromFile ? aboutFile(fileSource(target)) : { samples: 1, coverage: null, notices: [] };
  const { samples, coverage, notices } = about;
  const network = networkOf(isFromFile ? fileNetworkName(target) : target, flags, samples);
  const plan = flags.plan === undefined ? undefined : loadPlan(flags.plan);
  const costs = flags.costs === undefined ? undefined : readCosts(flags.costs);
  const link = linkOf(flags, costs !== undefined);
  const memory = new SolverMemory({
    // By its path, so that a file of any size is read in parts.
    build: ({ input }, batch) =>
      importFile(fileSource(target), { batch, ...(input === undefined ? {} : { input }) }).graph,
    plan: () => plan,
    timed: (graph: Graph) => (costs === undefined ? graph : timedGraph(graph, timesOfGraph(costs, graph))),
    ...limits,
    options: {
      ...(flags.timeLimit === undefined
        ? {}
        : { timeLimitSeconds: parseSeconds(flags.timeLimit, '--time-limit') }),
      ...(link === undefined ? {} : { link }),
      ...(flags.slots === undefined ? {} : { slots: parseWhole(flags.slots, '--slots', 1, 100000) }),
    },
  });
  return {
    solver: new Solver(new FileNetworks(), memory),
    network,
    problem: () => memory.problem(network, network.batch),
    title: memory.problem(network, 1).graph.name,
    isFile: isFromFile,
    coverage,
    notices,
    ...(link === undefined ? {} : { link }),
    ...(costs === undefined ? {} : { costs: originOf(costs) }),
  };
}

/**
 * The plan that `--plan FILE` names.
 * @throws BadInputError in one sentence that starts with the option and names the path once
 */
export function loadPlan(path: string): PlanFile {
  try {
    return importPlan(fileSource(path));
  } catch (error) {
    if (!(error instanceof BadInputError)) throw error;
    // What speaks of the file itself names it.
    const named = error.message.includes(path) ? '--plan' : `--plan ${path}`;
    throw new BadInputError(`${named}: ${error.message}`);
  }
}

function networkOf(model: string, flags: StrategyFlags, samples: number): Network {
  const { batch, input, dropout, profile, dtype, seed, budget, checkpoints, segments, checkpointing, plan } =
    flags;
  return {
    model,
    batch: batch === undefined ? samples : parseWhole(batch, '--batch', 1, MAX_BATCH),
    profile: profile === undefined ? 'pytorch' : parseName(profile, '--profile', profileSchema.options),
    dtype: dtype === undefined ? 'float32' : parseName(dtype, '--dtype', dtypeSchema.options),
    seed: seed === undefined ? 0 : parseWhole(seed, '--seed', 0, 0xffffffff),
    ...(input === undefined ? {} : { input: parseWhole(input, '--input', 1, MAX_INPUT) }),
    ...(dropout === undefined ? {} : { dropout: parseRate(dropout, '--dropout') }),
    ...(budget === undefined ? {} : { budgetBytes: parseBytes(budget, '--budget') }),
    ...(checkpoints === undefined ? {} : { checkpoints: parseIds(checkpoints) }),
    ...(segments === undefined ? {} : { segments: parseWhole(segments, '--segments', 1, MAX_SEGMENTS) }),
    ...(checkpointing === undefined
      ? {}
      : { checkpointing: parseName(checkpointing, '--checkpointing', checkpointingSchema.options) }),
    ...(plan === undefined ? {} : { plan: GIVEN_PLAN }),
    ...trainingOf(flags),
  };
}

/** How it is trained. @throws BadInputError naming the option */
function trainingOf(flags: NetworkFlags): Partial<Network> {
  const { precision, optimizer, optimizerState, accumulate, gradients, dtype } = flags;
  if (precision !== undefined && dtype !== undefined)
    throw new BadInputError('--precision says the data types; give one of --precision and --dtype');
  const named = <Name extends string>(text: string | undefined, option: string, names: readonly Name[]) =>
    text === undefined ? undefined : parseName(text, option, names);
  const fields = {
    precision: named(precision, '--precision', PRECISIONS),
    optimizer: named(optimizer, '--optimizer', OPTIMIZER_NAMES),
    optimizerState: named(optimizerState, '--optimizer-state', ['weights', 'float32'] as const),
    gradients: named(gradients, '--gradients', ['freed', 'kept'] as const),
    accumulate:
      accumulate === undefined ? undefined : parseWhole(accumulate, '--accumulate', 1, MAX_ACCUMULATE),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/**
 * What a device has, and what of it its context takes.
 * @throws BadInputError naming the option
 */
export function memoryOf({ memory, context }: MemoryFlags): { memoryBytes: number; contextBytes: number } {
  const memoryBytes = parseBytes(memory, '--memory');
  const contextBytes =
    context === undefined
      ? USUAL_CONTEXT_GIB * 1024 ** 3
      : context === '0'
        ? 0
        : parseBytes(context, '--context');
  if (contextBytes < memoryBytes) return { memoryBytes, contextBytes };
  throw new BadInputError(
    `--memory ${memory} is no more than the context of ${formatBytes(contextBytes)}; give more, or a smaller --context`,
  );
}

function refuseFixed({ dropout, dtype }: NetworkFlags): void {
  if (dropout !== undefined) throw new BadInputError('--dropout: the file itself says its dropout rates');
  if (dtype !== undefined) throw new BadInputError('--dtype: the file itself says its data types');
}

function readCosts(path: string): CostsFile {
  const source = fileSource(path);
  try {
    return parseCostsFile(
      jsonText(source, MAX_COSTS_FILE_BYTES, `${path} is too large to be a file of costs`),
    );
  } finally {
    source.close();
  }
}

function originOf({ backend, device, batch, input }: CostsFile): CostsOrigin {
  return { backend, device, batch, input };
}

/** Whether a target is the path of a file, there or not, and no network of the zoo. */
export function isFile(target: string): boolean {
  const looksLikeOne = existsSync(target) || /\.(json|onnx)$/.test(target) || target.includes('/');
  return looksLikeOne && !isModelName(target);
}

function unknownNetwork(target: string): BadInputError {
  const near = nearestModels(target);
  const hint = near.length > 0 ? `did you mean ${near.join(', ')}?` : 'see `zigzag models`';
  return new BadInputError(`there is no network "${target}" and no such file; ${hint}`);
}
