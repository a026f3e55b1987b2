import { MAX_BATCH } from '../../app/contract/experiment.ts';
import { type TrainEvent, trainRequestSchema } from '../../app/contract/training.ts';
import { BadInputError } from '../../engine/errors.ts';
import { Cifar10 } from './data/cifar10.ts';
import { measureLargestBatch, type Trial } from './largest-batch.ts';
import { runTraining, type TrainingOptions } from './run.ts';

const CIFAR10_CLASSES = 10;

/**
 * What a trainer that may read files does with a request: checks it and runs it.
 *
 * @throws BadInputError for what is no request or names a folder that does not hold CIFAR-10; what
 * `runTraining` throws
 */
export async function answer(
  request: unknown,
  emit: (event: TrainEvent) => void,
  signal: AbortSignal,
  options: Omit<TrainingOptions, 'data'>,
): Promise<void> {
  const parsed = trainRequestSchema.safeParse(request);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new BadInputError(issue?.message ?? 'not a training request', issue?.path.join('.') ?? '');
  }
  const { dataFolder, largestBatch, pairs: _pairs, ...rest } = parsed.data;
  if (largestBatch === true) {
    // Doubling without a cap ends where the machine does, on backends that know no limit of their own.
    if (rest.memoryCapBytes === undefined) {
      throw new BadInputError('the largest batch is measured below a memory cap; give one', 'memoryCapBytes');
    }
    const onTrial = (trial: Trial): void => emit({ event: 'probe', ...trial });
    const batch = await measureLargestBatch(rest, MAX_BATCH, signal, { ...options, onTrial });
    emit({ event: 'largest', batch, isMost: batch === MAX_BATCH });
    return;
  }
  await runTraining(parsed.data, emit, signal, {
    ...options,
    ...(dataFolder === undefined
      ? {}
      : {
          data: (source, outputs, seed) => {
            if (outputs < CIFAR10_CLASSES) {
              throw new BadInputError(
                `CIFAR-10 has ${CIFAR10_CLASSES} classes, and the network tells ${outputs} apart`,
              );
            }
            return new Cifar10(dataFolder, source, seed);
          },
        }),
  });
}
