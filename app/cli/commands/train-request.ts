import { resolve } from 'node:path';
import { BadInputError } from '../../../engine/errors.ts';
import { given } from '../../../engine/given.ts';
import { regularFigures } from '../../../engine/strategies/regular.ts';
import { NO_CONTROL } from '../../../engine/strategies/strategy/strategy.ts';
import { inputFault } from '../../contract/input-fault.ts';
import { BACKENDS } from '../../contract/backends.ts';
import { MAX_ITERATIONS, MAX_PAIRS, type TrainRequest, trainRequestSchema } from '../../contract/training.ts';
import { refuseFlags } from '../command-options.ts';
import { linkFields } from '../link.ts';
import { isFile, loadPlan, type NetworkFlags, openNetwork } from '../network.ts';
import { optionValues, parseBytes, parseName, parseWhole } from '../options.ts';
import { chosenStrategy, type StrategyFlag } from '../strategies.ts';

/** Options of `zigzag train`, as commander gives them. */
export interface TrainFlags extends NetworkFlags, StrategyFlag {
  readonly iterations?: string;
  readonly backend?: string;
  readonly memoryCap?: string;
  readonly data?: string;
  readonly naive?: string;
  readonly pairs?: string;
  readonly measuredCosts?: boolean;
  readonly saveCosts?: string;
  readonly batchDifference?: boolean;
  readonly largestBatch?: boolean;
}

const USUAL_BATCH = 8;
const USUAL_ITERATIONS = 3;
/** Options of a training that a search for the largest batch has no use for. */
const OF_ITERATIONS = ['batch', 'iterations', 'data', 'pairs', 'naive', 'batch-difference'];

/** @throws BadInputError naming the option */
export async function trainRequest(target: string, flags: TrainFlags): Promise<TrainRequest> {
  if (flags.largestBatch === true) {
    if (flags.memoryCap === undefined)
      throw new BadInputError('--largest-batch requires --memory-cap, a limit such as 2GiB');
    if (flags.saveCosts !== undefined)
      throw new BadInputError(
        '--save-costs works with a training run, not with --largest-batch; give only one',
      );
    refuseFlags(flags, OF_ITERATIONS, 'is for a training run, and --largest-batch searches for a batch');
  }
  const strategy = chosenStrategy('train', flags);
  const values = optionValues('train', flags, ({ batch = USUAL_BATCH, input, dropout }) => {
    const size = { batch: String(batch), input: input?.toString(), dropout: dropout?.toString() };
    return regularFigures(openNetwork('solve', target, { ...given(size), profile: 'tfjs' }).problem())
      .peakBytes;
  });
  const naive = naiveSwitches(flags.naive);
  const request = given({
    ...values,
    ...linkFields(values),
    model: target,
    batch: values.batch ?? USUAL_BATCH,
    strategy,
    plan: flags.plan && JSON.stringify(loadPlan(flags.plan)),
    iterations:
      flags.iterations === undefined
        ? USUAL_ITERATIONS
        : parseWhole(flags.iterations, '--iterations', 1, MAX_ITERATIONS),
    backend: flags.backend === undefined ? undefined : parseName(flags.backend, '--backend', BACKENDS),
    // The trainer may have another working directory.
    dataFolder: flags.data === undefined ? undefined : resolve(flags.data),
    ...naive,
    measuredCosts: flags.measuredCosts === true || flags.saveCosts !== undefined || undefined,
    batchDifference: flags.batchDifference,
    largestBatch: flags.largestBatch,
    pairs: flags.pairs === undefined ? undefined : parseWhole(flags.pairs, '--pairs', 1, MAX_PAIRS),
    memoryCapBytes: flags.memoryCap === undefined ? undefined : parseBytes(flags.memoryCap, '--memory-cap'),
  });
  const wanted = isFile(target) ? await withGraph(target, flags, request) : request;
  const parsed = trainRequestSchema.safeParse(wanted);
  if (parsed.success) return parsed.data;
  throw new BadInputError(inputFault(trainRequestSchema, parsed.error.issues, wanted).message);
}

/** The network of a file as the trainer takes it: a zigzag-graph/1 of one sample. */
async function withGraph(target: string, { input, dropout }: TrainFlags, request: object) {
  const { solver, network, title } = openNetwork('solve', target, {
    batch: '1',
    ...given({ input, dropout }),
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
  return given({
    naiveStatistics: mistakes.includes('statistics') || undefined,
    naiveDropout: mistakes.includes('dropout') || undefined,
  });
}
