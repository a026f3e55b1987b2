import { resolve } from 'node:path';
import { BadInputError } from '../../../engine/errors.ts';
import { strategyOf } from '../../../engine/strategies/registry.ts';
import { NO_CONTROL } from '../../../engine/strategies/strategy/strategy.ts';
import {
  checkpointingSchema,
  MAX_BATCH,
  MAX_DROPOUT,
  MAX_INPUT,
  MAX_SEGMENTS,
} from '../../contract/experiment.ts';
import { inputFault } from '../../contract/input-fault.ts';
import { BACKENDS } from '../../contract/backends.ts';
import { type TrainRequest, trainRequestSchema } from '../../contract/training.ts';
import { isFile, loadPlan, type NetworkFlags, openNetwork } from '../network.ts';
import { parseBytes, parseIds, parseName, parseRate, parseWhole } from '../options.ts';

/** Options of `zigzag train`, as commander gives them. */
export interface TrainFlags extends NetworkFlags {
  readonly strategy: string;
  readonly iterations: string;
  readonly backend?: string;
  readonly budget?: string;
  readonly memoryCap?: string;
  readonly seed?: string;
  readonly checkpoints?: string;
  readonly segments?: string;
  readonly plan?: string;
  readonly data?: string;
  readonly naive?: string;
  readonly pairs?: string;
  readonly measuredCosts?: boolean;
  readonly saveCosts?: string;
  readonly batchDifference?: boolean;
  readonly largestBatch?: boolean;
  readonly json?: boolean;
}

/** @throws BadInputError naming the option */
export async function trainRequest(target: string, flags: TrainFlags): Promise<TrainRequest> {
  if (flags.largestBatch === true && flags.memoryCap === undefined) {
    throw new BadInputError('--largest-batch needs --memory-cap, the most that it may hold, such as 2GiB');
  }
  if (flags.largestBatch === true && flags.saveCosts !== undefined) {
    throw new BadInputError('--save-costs goes with a training run, not with --largest-batch; give one');
  }
  const request = {
    model: target,
    batch: flags.batch === undefined ? 8 : parseWhole(flags.batch, '--batch', 1, MAX_BATCH),
    strategy: flags.plan === undefined ? strategyOf(flags.strategy).name : 'plan',
    ...(flags.plan === undefined ? {} : { plan: JSON.stringify(loadPlan(flags.plan)) }),
    iterations: parseWhole(flags.iterations, '--iterations', 1, 100000),
    ...(flags.input === undefined ? {} : { input: parseWhole(flags.input, '--input', 1, MAX_INPUT) }),
    ...(flags.dropout === undefined ? {} : { dropout: parseRate(flags.dropout, '--dropout', MAX_DROPOUT) }),
    ...(flags.seed === undefined ? {} : { seed: parseWhole(flags.seed, '--seed', 0, 0xffffffff) }),
    ...(flags.backend === undefined ? {} : { backend: parseName(flags.backend, '--backend', BACKENDS) }),
    ...(flags.budget === undefined ? {} : { budgetBytes: parseBytes(flags.budget, '--budget') }),
    ...(flags.checkpoints === undefined ? {} : { checkpoints: parseIds(flags.checkpoints) }),
    ...(flags.segments === undefined
      ? {}
      : { segments: parseWhole(flags.segments, '--segments', 1, MAX_SEGMENTS) }),
    ...(flags.checkpointing === undefined
      ? {}
      : { checkpointing: parseName(flags.checkpointing, '--checkpointing', checkpointingSchema.options) }),
    // The trainer may have another working directory.
    ...(flags.data === undefined ? {} : { dataFolder: resolve(flags.data) }),
    ...naiveSwitches(flags.naive),
    ...(flags.measuredCosts === true || flags.saveCosts !== undefined ? { measuredCosts: true } : {}),
    ...(flags.batchDifference === true ? { batchDifference: true } : {}),
    ...(flags.largestBatch === true ? { largestBatch: true } : {}),
    ...(flags.pairs === undefined ? {} : { pairs: parseWhole(flags.pairs, '--pairs', 1, 1000) }),
    ...(flags.memoryCap === undefined ? {} : { memoryCapBytes: parseBytes(flags.memoryCap, '--memory-cap') }),
  };
  const wanted = isFile(target) ? await withGraph(target, flags, request) : request;
  const parsed = trainRequestSchema.safeParse(wanted);
  if (parsed.success) return parsed.data;
  throw new BadInputError(inputFault(trainRequestSchema, parsed.error.issues, wanted).message);
}

/** The network of a file as the trainer takes it: a zigzag-graph/1 of one sample. */
async function withGraph(target: string, { batch: _batch, ...flags }: TrainFlags, request: object) {
  const { solver, network, title } = openNetwork(target, {
    ...(flags.input === undefined ? {} : { input: flags.input }),
    ...(flags.dropout === undefined ? {} : { dropout: flags.dropout }),
  });
  const experiment = { ...network, strategies: ['regular'] };
  const wanted = { experiment, strategy: 'regular', form: 'graph' } as const;
  const { text } = await solver.answer('exportFile', wanted, NO_CONTROL, () => undefined);
  return { ...request, model: title.slice(0, 120), input: undefined, graph: text };
}

function naiveSwitches(text: string | undefined): Pick<TrainRequest, 'naiveStatistics' | 'naiveDropout'> {
  if (text === undefined) return {};
  const mistakes = text === 'both' ? ['statistics', 'dropout'] : text.split(',').map((one) => one.trim());
  const unknown = mistakes.find((mistake) => mistake !== 'statistics' && mistake !== 'dropout');
  if (unknown !== undefined) {
    throw new BadInputError(`--naive takes statistics, dropout or both, got "${unknown}"`);
  }
  return {
    ...(mistakes.includes('statistics') ? { naiveStatistics: true } : {}),
    ...(mistakes.includes('dropout') ? { naiveDropout: true } : {}),
  };
}
