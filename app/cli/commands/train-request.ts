import { resolve } from 'node:path';
import { BadInputError } from '../../../engine/errors.ts';
import { BACKENDS, type TrainRequest, trainRequestSchema } from '../../contract/training.ts';
import { loadFileGraph, loadPlan, type NetworkFlags } from '../load.ts';
import { parseBytes, parseRate, parseWhole } from '../options.ts';

/** Options of `zigzag train`, as commander gives them. */
export interface TrainFlags extends NetworkFlags {
  readonly strategy: string;
  readonly iterations: string;
  readonly backend?: string;
  readonly budget?: string;
  readonly memoryCap?: string;
  readonly seed?: string;
  readonly checkpoints?: string;
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
export function trainRequest(model: string, flags: TrainFlags): TrainRequest {
  const { backend } = flags;
  if (backend !== undefined && !(BACKENDS as readonly string[]).includes(backend)) {
    throw new BadInputError(`--backend must be one of ${BACKENDS.join(', ')}, got "${backend}"`);
  }
  if (flags.largestBatch === true && flags.memoryCap === undefined) {
    throw new BadInputError('--largest-batch needs --memory-cap, the most that it may hold, such as 2GiB');
  }
  if (flags.largestBatch === true && flags.saveCosts !== undefined) {
    throw new BadInputError('--save-costs goes with a training run, not with --largest-batch; give one');
  }
  const file = loadFileGraph(model, flags);
  return trainRequestSchema.parse({
    model: file?.model.slice(0, 120) ?? model,
    ...(file === undefined ? {} : { graph: file.text }),
    batch: flags.batch === undefined ? 8 : parseWhole(flags.batch, '--batch', 1, 65536),
    strategy: flags.plan === undefined ? flags.strategy : 'plan',
    ...(flags.plan === undefined ? {} : { plan: JSON.stringify(loadPlan(flags.plan)) }),
    iterations: parseWhole(flags.iterations, '--iterations', 1, 100000),
    ...(flags.input === undefined || file !== undefined
      ? {}
      : { input: parseWhole(flags.input, '--input', 1, 8192) }),
    ...(flags.dropout === undefined ? {} : { dropout: parseRate(flags.dropout, '--dropout') }),
    ...(flags.seed === undefined ? {} : { seed: parseWhole(flags.seed, '--seed', 0, 0xffffffff) }),
    ...(backend === undefined ? {} : { backend }),
    ...(flags.budget === undefined ? {} : { budgetBytes: parseBytes(flags.budget, '--budget') }),
    ...(flags.checkpoints === undefined
      ? {}
      : { checkpoints: flags.checkpoints.split(',').map((id) => id.trim()) }),
    // The trainer may have another working directory.
    ...(flags.data === undefined ? {} : { dataFolder: resolve(flags.data) }),
    ...naiveSwitches(flags.naive),
    ...(flags.measuredCosts === true || flags.saveCosts !== undefined ? { measuredCosts: true } : {}),
    ...(flags.batchDifference === true ? { batchDifference: true } : {}),
    ...(flags.largestBatch === true ? { largestBatch: true } : {}),
    ...(flags.pairs === undefined ? {} : { pairs: parseWhole(flags.pairs, '--pairs', 1, 1000) }),
    ...(flags.memoryCap === undefined ? {} : { memoryCapBytes: parseBytes(flags.memoryCap, '--memory-cap') }),
  });
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
