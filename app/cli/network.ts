import { existsSync } from 'node:fs';
import { formatBytes } from '../../engine/bytes.ts';
import { USUAL_CONTEXT_GIB } from '../../engine/devices/devices.ts';
import { BadInputError } from '../../engine/errors.ts';
import type { Coverage } from '../../engine/exchange/coverage.ts';
import type { PlanFile } from '../../engine/exchange/plan-file.ts';
import type { Graph } from '../../engine/graph/graph.ts';
import { timedGraph } from '../../engine/graph/timed-graph.ts';
import type { LinkedDevice } from '../../engine/offload/link.ts';
import { type OptionName, optionOf, type OptionValues } from '../../engine/options/options.ts';
import { regularFigures } from '../../engine/strategies/regular.ts';
import { weightBytes } from '../../engine/training-memory/setup.ts';
import type { Problem } from '../../engine/strategies/strategy/strategy.ts';
import { languageSettingsOf } from '../../engine/zoo/language/settings.ts';
import { isModelName, modelInfo, nearestModels } from '../../engine/zoo/zoo.ts';
import { FileNetworks } from '../../main/solver/file-networks.ts';
import { type Network, type SolverFiles, SolverMemory } from '../../main/solver/memory.ts';
import { Solver } from '../../main/solver/solver.ts';
import { fileSource } from '../bridges/file-source.ts';
import { type CostsFile, parseCostsFile, timesOfGraph } from '../bridges/costs-file.ts';
import { aboutFile, importFile, importPlan } from '../bridges/import-file.ts';
import { MAX_COSTS_FILE_BYTES } from '../../engine/exchange/read-limits.ts';
import { jsonText } from '../bridges/json-guard.ts';
import { fileNetworkName, planName } from '../contract/opened-file.ts';
import { setupOf } from '../contract/training-setup.ts';
import { withoutEffect } from '../contract/setup-notes.ts';
import type { OptionCommand, OptionFlags } from './command-options.ts';
import { linkFields } from './link.ts';
import { optionValues, parseBytes } from './options.ts';

/** Options of a command that opens a network, as commander gives them. */
export interface NetworkFlags extends OptionFlags {
  readonly costs?: string;
  readonly json?: boolean;
}

/** The options of a device. */
export interface MemoryFlags {
  readonly memory: string;
  readonly context?: string;
}

/** Problem that a command works on, and the lab's solver in this process. */
export interface Asked {
  readonly solver: Solver;
  /** The network at its batch, for what is asked of the engine itself. */
  readonly problem: () => Problem;
  /** An experiment but for its strategies. */
  readonly network: Network;
  /** The zoo's name, or the one that a file gives. */
  readonly title: string;
  readonly isFile: boolean;
  /** Operations that the capture supports; null for other networks. */
  readonly coverage: Coverage | null;
  /** Caveats for the reader of a file's figures, in sentences. */
  readonly notices: readonly string[];
  /** Link and device that predict transfer times; absent when none was named. */
  readonly link?: LinkedDevice;
  /** Origin of the operation times that strategies minimize; absent when they minimize FLOPs. */
  readonly costs?: CostsOrigin;
}

export type CostsOrigin = Pick<CostsFile, 'backend' | 'device' | 'batch' | 'input'>;

/** An experiment names its plan, and there is one. */
const GIVEN_PLAN = planName('0'.repeat(16));
/** An owner and a name, as huggingface.co has them. */
const REPOSITORY = /^[\w-]+\/[\w.-]+(?<!\.json|\.onnx)$/;
const USUAL_NETWORK = { profile: 'pytorch', dtype: 'float32', seed: 0 } as const;

/**
 * A network of the zoo by name, or a file by path: zigzag-graph/1, ONNX, or a Keras or TensorFlow.js model.json,
 * or the config.json of a transformer.
 *
 * @throws BadInputError that names the option, or the nearest names for an unknown network
 */
export function openNetwork(
  command: OptionCommand,
  target: string,
  flags: NetworkFlags,
  limits: Pick<SolverFiles, 'exactSeconds' | 'now'> = {},
): Asked {
  const isFromFile = isFile(target);
  if (flags.precision !== undefined && flags.dtype !== undefined)
    throw new BadInputError('--precision sets the data types; give only one of --precision and --dtype');
  if (isFromFile && !existsSync(target) && REPOSITORY.test(target))
    throw new BadInputError(
      `there is no file ${target}; to use a model of huggingface.co, save its config.json and name that file`,
    );
  if (isFromFile) refuseFixed(flags);
  else if (!isModelName(target)) throw unknownNetwork(target);
  // Unless told, a file is taken with the samples that it was captured with.
  const about = isFromFile ? aboutFile(fileSource(target)) : { samples: 1, coverage: null, notices: [] };
  const { samples, coverage, notices } = about;
  const costs = flags.costs === undefined ? undefined : readCosts(flags.costs);
  let plan: PlanFile | undefined;
  const memory = new SolverMemory({
    // By its path, so that a file of any size is read in parts.
    build: (network, batch) => {
      const bytesPerElement = weightBytes(setupOf(network).precision);
      const options = { batch, input: network.input, bytesPerElement, ...languageSettingsOf(network) };
      return importFile(fileSource(target), options).graph;
    },
    plan: () => plan,
    timed: (graph: Graph) => (costs === undefined ? graph : timedGraph(graph, timesOfGraph(costs, graph))),
    isTimed: costs !== undefined,
    ...limits,
  });
  const usual = {
    model: isFromFile ? fileNetworkName(target) : modelInfo(target).name,
    batch: samples,
    ...USUAL_NETWORK,
  };
  const regularPeakBytes = (values: OptionValues): number => {
    const at = { ...usual, ...asNetwork(values) };
    return regularFigures(memory.problem(at, at.batch)).peakBytes;
  };
  const values = optionValues(command, flags, regularPeakBytes);
  if (flags.plan !== undefined) plan = loadPlan(flags.plan);
  const network = { ...usual, ...asNetwork(values) };
  refuseWithoutEffect(network);
  const link = memory.link(network);
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

/** A network of the zoo at its usual batch, where none is given: plans are made for it. */
export function atUsualBatch<Flags extends NetworkFlags>(target: string, flags: Flags): Flags {
  const isTold = flags.batch !== undefined || !isModelName(target);
  return isTold ? flags : { ...flags, batch: String(modelInfo(target).defaultBatch) };
}

/** As an experiment says it: with the name of a plan, and the link of a device that was named for it. */
const asNetwork = ({ plan, ...values }: OptionValues): Partial<Network> => ({
  ...(values as Partial<Network>),
  ...(plan === undefined ? {} : { plan: GIVEN_PLAN }),
  ...linkFields(values),
});

/**
 * The plan that `--plan FILE` names.
 * @throws BadInputError in one sentence that starts with the option and names the path once
 */
export function loadPlan(path: string): PlanFile {
  try {
    return importPlan(fileSource(path));
  } catch (error) {
    if (!(error instanceof BadInputError)) throw error;
    // An error about the file itself already names it.
    const named = error.message.includes(path) ? '--plan' : `--plan ${path}`;
    throw new BadInputError(`${named}: ${error.message}`);
  }
}

/** @throws BadInputError for a setting of training that changes nothing as the others are */
function refuseWithoutEffect(network: Network): void {
  // A file's own element type decides what its state is; this knows of float32 alone.
  const { optimizerState, ...others } = withoutEffect(network);
  const [found] = Object.entries(isFile(network.model) ? others : { optimizerState, ...others }).filter(
    ([, why]) => why !== undefined,
  );
  if (found === undefined) return;
  const [name, why] = found;
  throw new BadInputError(
    `--${optionOf(name as OptionName).flag} changes nothing here: ${why}; leave it out`,
  );
}

/**
 * Memory of the device, and the share of it that its context takes.
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
    `--memory ${memory} is not larger than the context of ${formatBytes(contextBytes)}; give more memory, or a smaller --context`,
  );
}

function refuseFixed({ dropout, dtype }: NetworkFlags): void {
  if (dropout !== undefined) throw new BadInputError('--dropout: the file fixes its dropout rates');
  if (dtype !== undefined) throw new BadInputError('--dtype: the file fixes its data types');
}

function readCosts(path: string): CostsFile {
  const source = fileSource(path);
  try {
    return parseCostsFile(jsonText(source, MAX_COSTS_FILE_BYTES, `${path} is larger than any file of costs`));
  } finally {
    source.close();
  }
}

function originOf({ backend, device, batch, input }: CostsFile): CostsOrigin {
  return { backend, device, batch, input };
}

/** True when a target is the path of a file (existing or not), not a network of the zoo. */
export function isFile(target: string): boolean {
  const looksLikeOne = existsSync(target) || /\.(json|onnx)$/.test(target) || target.includes('/');
  return looksLikeOne && !isModelName(target);
}

function unknownNetwork(target: string): BadInputError {
  const near = nearestModels(target);
  const hint = near.length > 0 ? `did you mean ${near.join(', ')}?` : 'see `zigzag models`';
  return new BadInputError(`no network and no file is named "${target}"; ${hint}`);
}
