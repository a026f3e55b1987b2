import { existsSync } from 'node:fs';
import { BadInputError } from '../../engine/errors.ts';
import type { PlanFile } from '../../engine/exchange/plan-file.ts';
import type { Profile } from '../../engine/ops/operation.ts';
import { createProblem } from '../../engine/problem.ts';
import type { Problem } from '../../engine/strategies/strategy.ts';
import { buildModel, MODELS, nearestModels } from '../../engine/zoo/zoo.ts';
import { type ImportSummary, importFile, importPlan } from '../bridges/import-file.ts';
import { parseRate, parseWhole } from './options.ts';

/** Options that say which network at which size, as commander gives them. */
export interface NetworkFlags {
  readonly batch?: string;
  readonly input?: string;
  readonly dropout?: string;
  readonly profile?: string;
  readonly dtype?: string;
}

export interface LoadedNetwork {
  readonly problem: Problem;
  readonly model: string;
  readonly batch: number;
  /** Pixels a side; 0 for a graph file. */
  readonly input: number;
  /** What was understood of a file; absent for a network of the zoo. */
  readonly summary?: ImportSummary;
}

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
