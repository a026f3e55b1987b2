import { existsSync, readFileSync, statSync } from 'node:fs';
import { BadInputError } from '../../engine/errors.ts';
import { MAX_GRAPH_FILE_BYTES, parseGraphFile } from '../../engine/exchange/graph-file.ts';
import type { Profile } from '../../engine/ops/operation.ts';
import { createProblem } from '../../engine/problem.ts';
import type { Problem } from '../../engine/strategies/strategy.ts';
import { buildModel, MODELS, nearestModels } from '../../engine/zoo/zoo.ts';
import { parseRate, parseWhole } from './options.ts';

/** Options that say which network at which size, as commander gives them. */
export interface NetworkFlags {
  readonly batch?: string;
  readonly input?: string;
  readonly dropout?: string;
  readonly profile?: string;
}

export interface LoadedNetwork {
  readonly problem: Problem;
  readonly model: string;
  readonly batch: number;
  /** Pixels a side; 0 for a graph file. */
  readonly input: number;
}

const MOST = 65536;

/**
 * A network of the zoo by name, or a zigzag-graph/1 file by path.
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
      ...(input === undefined ? {} : { input }),
      ...(dropout === undefined ? {} : { dropout }),
    });
    return { problem: createProblem(graph, profile), model: target, batch, input: graph.shapes[0]?.[2] ?? 0 };
  }
  if (!looksLikeFile(target)) throw unknownNetwork(target);
  if (flags.input !== undefined) {
    throw new BadInputError('--input has no meaning for a graph file: its tensors have the sizes it gives');
  }
  const graph = parseGraphFile(readGraphFile(target), { batch });
  return { problem: createProblem(graph, profile), model: graph.name, batch, input: 0 };
}

/** Synthetic chains come in any length, so they are not listed one by one. */
function isModel(name: string): boolean {
  return MODELS.some((model) => model.name === name) || /^chain-\d+$/.test(name);
}

function looksLikeFile(target: string): boolean {
  return existsSync(target) || target.endsWith('.json') || target.includes('/');
}

function unknownNetwork(target: string): BadInputError {
  const near = nearestModels(target);
  const hint = near.length > 0 ? `did you mean ${near.join(', ')}?` : 'see `zigzag models`';
  return new BadInputError(`there is no network "${target}" and no such file; ${hint}`);
}

function readGraphFile(path: string): string {
  if (!existsSync(path)) throw new BadInputError(`there is no file ${path}`);
  const info = statSync(path);
  if (!info.isFile()) throw new BadInputError(`${path} is not a file`);
  if (info.size > MAX_GRAPH_FILE_BYTES) {
    throw new BadInputError(`${path} is larger than a graph file may be (${MAX_GRAPH_FILE_BYTES} bytes)`);
  }
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new BadInputError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function parseProfile(text: string | undefined): Profile {
  if (text === undefined || text === 'pytorch') return 'pytorch';
  if (text === 'tfjs') return 'tfjs';
  throw new BadInputError(`--profile must be pytorch or tfjs, got "${text}"`);
}
