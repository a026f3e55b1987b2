import { MAX_BATCH } from '../../engine/options/sizes.ts';
import { type TrainEvent, type TrainRequest, trainRequestSchema } from '../../app/contract/training.ts';
import { BadInputError } from '../../engine/errors.ts';
import type { Shape } from '../../engine/ops/definition.ts';
import type { BatchSource } from './data/batch.ts';
import { measureLargestBatch } from './largest-batch.ts';
import { Progress } from './progress.ts';
import { runTraining, type TrainingOptions } from './run.ts';
import type { Supervision } from './supervision.ts';

export interface AnswerOptions extends Omit<TrainingOptions, 'data'> {
  /** Opens the data in a folder for a source and logits of these shapes; absent if the process cannot read files. */
  readonly readFolder?: (folder: string, source: Shape, target: Shape, seed: number) => BatchSource;
}

/**
 * Checks a training request and runs it.
 *
 * @throws BadInputError for an invalid request, or a folder that cannot be read here; errors of `runTraining`
 */
export async function answer(
  request: unknown,
  emit: (event: TrainEvent) => void,
  supervision: Supervision,
  { readFolder, ...options }: AnswerOptions,
): Promise<void> {
  const parsed = trainRequestSchema.safeParse(request);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new BadInputError(issue?.message ?? 'not a training request', issue?.path.join('.') ?? '');
  }
  const { dataFolder } = parsed.data;
  if (parsed.data.largestBatch === true) {
    await answerLargest(parsed.data, emit, supervision, options);
    return;
  }
  if (dataFolder !== undefined && readFolder === undefined) {
    throw new BadInputError(
      'WebGPU trains in a window that reads no folders; leave the folder out, or train on wasm',
      'dataFolder',
    );
  }
  await runTraining(parsed.data, emit, supervision, {
    ...options,
    ...(dataFolder === undefined || readFolder === undefined
      ? {}
      : { data: (source, target, seed) => readFolder(dataFolder, source, target, seed) }),
  });
}

async function answerLargest(
  request: TrainRequest,
  emit: (event: TrainEvent) => void,
  supervision: Supervision,
  options: Omit<TrainingOptions, 'data'>,
): Promise<void> {
  // Without a cap, a backend without its own limit would double until the machine runs out of memory.
  if (request.memoryCapBytes === undefined) {
    throw new BadInputError('the largest batch is measured below a memory cap; give one', 'memoryCapBytes');
  }
  const { pairs: _pairs, measuredCosts: _costs, batchDifference: _difference, ...rest } = request;
  const batch = await measureLargestBatch(rest, MAX_BATCH, supervision, {
    ...options,
    onTrial: (trial) => emit({ event: 'probe', ...trial }),
    progress: new Progress(emit, () => supervision.gate.now()),
  });
  emit({ event: 'largest', batch, isMost: batch === MAX_BATCH });
}
