import { existsSync } from 'node:fs';
import { BadInputError } from '../../engine/errors.ts';
import { graphFile } from '../../engine/exchange/graph-file.ts';
import type { PlanFile } from '../../engine/exchange/plan-file.ts';
import { timedGraph } from '../../engine/graph/timed-graph.ts';
import type { Profile } from '../../engine/ops/operation.ts';
import { createProblem } from '../../engine/problem.ts';
import type { Problem } from '../../engine/strategies/strategy.ts';
import { buildModel, MODELS, nearestModels } from '../../engine/zoo/zoo.ts';
import { fileSource } from '../bridges/byte-source.ts';
import { type CostsFile, MAX_COSTS_FILE_BYTES, parseCostsFile, timesOfGraph } from '../bridges/costs-file.ts';
import { type ImportSummary, importFile, importPlan } from '../bridges/import-file.ts';
import { guardJson } from '../bridges/json-guard.ts';
import { parseRate, parseWhole } from './options.ts';

/** Options that say which network at which size, as commander gives them. */
export interface NetworkFlags {
  readonly batch?: string;
  readonly input?: string;
  readonly dropout?: string;
  readonly profile?: string;
  readonly dtype?: string;
  readonly costs?: string;
}

export interface LoadedNetwork {
  readonly problem: Problem;
  readonly model: string;
  readonly batch: number;
  /** Pixels a side; 0 for a graph file. */
  readonly input: number;
  /** What was understood of a file; absent for a network of the zoo. */
  readonly summary?: ImportSummary;
  /** Where the times come from that strategies weigh operations by; absent where they weigh FLOPs. */
  readonly costs?: CostsOrigin;
}

export type CostsOrigin = Pick<CostsFile, 'backend' | 'device' | 'batch' | 'input'>;

const MOST = 65536;

/**
 * The plan that `--plan FILE` names.
 * @throws BadInputError in one sentence that starts with the path
 */
export function loadPlan(path: string): PlanFile {
  try {
    return importPlan(path);
  } catch (error) {
    throw error instanceof BadInputError ? new BadInputError(`--plan ${path}: ${error.message}`) : error;
  }
}

/**
 * A network of the zoo by name, or a file by path: zigzag-graph/1, ONNX, or a Keras or TensorFlow.js model.json.
 * @throws BadInputError with the nearest names for an unknown one
 */
export function loadNetwork(target: string, flags: NetworkFlags): LoadedNetwork {
  const network = loadPlain(target, flags);
  if (flags.costs === undefined) return network;
  const file = readCosts(flags.costs);
  const graph = timedGraph(network.problem.graph, timesOfGraph(file, network.problem.graph));
  const { backend, device, batch, input } = file;
  return {
    ...network,
    problem: { ...network.problem, graph },
    costs: { backend, device, batch, input },
  };
}

/**
 * The network of a file as the trainer takes it, a zigzag-graph/1 of one sample; undefined for one of the zoo.
 * @throws BadInputError in one sentence for a file that is no network
 */
export function loadFileGraph(
  target: string,
  flags: NetworkFlags,
): { readonly model: string; readonly text: string } | undefined {
  if (isModel(target) || !looksLikeFile(target)) return undefined;
  if (flags.dropout !== undefined)
    throw new BadInputError('--dropout: the file itself says its dropout rates');
  const { input } = flags;
  const { problem, model } = loadPlain(target, { batch: '1', ...(input === undefined ? {} : { input }) });
  return { model, text: JSON.stringify(graphFile(problem.graph)) };
}

function readCosts(path: string): CostsFile {
  const source = fileSource(path);
  try {
    if (source.size > MAX_COSTS_FILE_BYTES)
      throw new BadInputError(`${path} is too large to be a file of costs`);
    const bytes = source.read(0, source.size);
    guardJson(bytes);
    return parseCostsFile(new TextDecoder().decode(bytes));
  } finally {
    source.close();
  }
}

function loadPlain(target: string, flags: NetworkFlags): LoadedNetwork {
  const batch = flags.batch === undefined ? 1 : parseWhole(flags.batch, '--batch', 1, MOST);
  const profile = parseProfile(flags.profile);
  if (isModel(target)) {
    const input = flags.input === undefined ? undefined : parseWhole(flags.input, '--input', 1, 8192);
    const dropout = flags.dropout === undefined ? undefined : parseRate(flags.dropout, '--dropout');
    const graph = buildModel(target, {
      batch,
      bytesPerElement: parseDtype(flags.dtype),
      ...(input === undefined ? {} : { input }),
      ...(dropout === undefined ? {} : { dropout }),
    });
    return { problem: createProblem(graph, profile), model: target, batch, input: graph.shapes[0]?.[2] ?? 0 };
  }
  if (!looksLikeFile(target)) throw unknownNetwork(target);
  if (flags.dtype !== undefined) throw new BadInputError('--dtype: the file itself says its data types');
  const { graph, summary } = importFile(target, {
    ...(flags.batch === undefined ? {} : { batch }),
    ...(flags.input === undefined ? {} : { input: parseWhole(flags.input, '--input', 1, 8192) }),
  });
  return { problem: createProblem(graph, profile), model: graph.name, batch, input: 0, summary };
}

/** Synthetic chains come in any length, so they are not listed one by one. */
function isModel(name: string): boolean {
  return MODELS.some((model) => model.name === name) || /^chain-\d+$/.test(name);
}

function looksLikeFile(target: string): boolean {
  return existsSync(target) || /\.(json|onnx)$/.test(target) || target.includes('/');
}

function unknownNetwork(target: string): BadInputError {
  const near = nearestModels(target);
  const hint = near.length > 0 ? `did you mean ${near.join(', ')}?` : 'see `zigzag models`';
  return new BadInputError(`there is no network "${target}" and no such file; ${hint}`);
}

/** Bytes of an element. */
function parseDtype(text: string | undefined): number {
  if (text === undefined || text === 'float32') return 4;
  if (text === 'float16') return 2;
  throw new BadInputError(`--dtype must be float32 or float16, got "${text}"`);
}

function parseProfile(text: string | undefined): Profile {
  if (text === undefined || text === 'pytorch') return 'pytorch';
  if (text === 'tfjs') return 'tfjs';
  throw new BadInputError(`--profile must be pytorch or tfjs, got "${text}"`);
}
