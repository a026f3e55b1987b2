import { z } from 'zod';
import { OPTIMIZER_NAMES } from '../../engine/training-memory/optimizers.ts';
import { STEP_TERMS } from '../../engine/training-memory/held.ts';
import { BadInputError } from '../../engine/errors.ts';
import { given } from '../../engine/given.ts';
import type { OptionValues } from '../../engine/options/options.ts';
import { PIPELINE_SCHEDULES } from '../../engine/training-memory/pipeline.ts';
import {
  isMixed,
  parallelTexts,
  PRECISION_TITLES,
  PRECISIONS,
  SHARD_TITLES,
  SHARDS,
  type TrainingSetup,
  USUAL_SETUP,
} from '../../engine/training-memory/setup.ts';

/** How a network is trained, as an experiment states it. */
export type TrainingOptions = Pick<
  OptionValues,
  | 'precision'
  | 'optimizer'
  | 'optimizerState'
  | 'accumulate'
  | 'gradients'
  | 'gpus'
  | 'shard'
  | 'tensor'
  | 'expertParallel'
  | 'contextParallel'
  | 'pipeline'
  | 'pipelineSchedule'
  | 'pipelineStage'
>;

/**
 * The setup of an experiment, with what it leaves out. TensorFlow.js has kernels for float32 alone and keeps no gradients
 * between steps, so that under its profile neither is asked.
 *
 * @param bytesPerElement of the network as it was built or captured
 */
export function setupOf(
  {
    precision,
    optimizer,
    optimizerState,
    accumulate,
    gradients,
    gpus,
    shard,
    tensor,
    expertParallel,
    contextParallel,
    pipeline,
    pipelineSchedule = '1f1b',
    pipelineStage,
    dtype,
    profile,
  }: TrainingOptions & { readonly dtype?: string; readonly profile?: string },
  bytesPerElement = 4,
): TrainingSetup {
  const isHalf = dtype === 'float16' || bytesPerElement === 2;
  const isTensorflow = profile === 'tfjs';
  const asked = isTensorflow && precision !== undefined ? 'fp32' : precision;
  // GPUs that have the same part of the model share the work as --shard says.
  const ranks = Math.floor(
    gpusOf({ gpus, tensor, expertParallel, contextParallel, pipeline }) / partsOf({ tensor, pipeline }),
  );
  const divided = given({ experts: expertParallel, context: contextParallel });
  const chosen = asked ?? (isHalf ? 'bf16' : USUAL_SETUP.precision);
  return {
    precision: chosen,
    optimizer: optimizer ?? USUAL_SETUP.optimizer,
    // Nobody asks float16 of the optimizer by asking it of the network.
    stateInFloat32:
      optimizerState === undefined ? precision === undefined && isHalf : optimizerState === 'float32',
    accumulate: accumulate ?? USUAL_SETUP.accumulate,
    freesGradients:
      isTensorflow || gradients === undefined ? USUAL_SETUP.freesGradients : gradients === 'freed',
    ...(ranks > 1 ? { sharding: { gpus: ranks, way: shard ?? 'ddp', ...divided } } : {}),
    ...given({
      tensor,
      pipeline:
        pipeline === undefined
          ? undefined
          : {
              stages: pipeline,
              schedule: pipelineSchedule,
              microBatches: accumulate ?? 1,
              ...given({ stage: pipelineStage }),
            },
    }),
  };
}

type Split = Pick<OptionValues, 'tensor' | 'expertParallel' | 'contextParallel' | 'pipeline' | 'gpus'>;

/** GPUs that share one model. */
export const partsOf = ({ tensor = 1, pipeline = 1 }: Pick<Split, 'tensor' | 'pipeline'>): number =>
  tensor * pipeline;

/** All GPUs: where no number is given, as few as the model is divided among. */
export const gpusOf = ({ gpus, expertParallel = 1, contextParallel = 1, ...split }: Split): number =>
  gpus ?? partsOf(split) * expertParallel * contextParallel;

/** @throws BadInputError for GPUs and a precision with which GPUs do not share one model */
export function requireSplit({
  tensor = 1,
  expertParallel = 1,
  contextParallel = 1,
  pipeline = 1,
  gpus,
  precision = 'fp32',
}: Split & Pick<OptionValues, 'precision'>): void {
  const parts = gpusOf({ tensor, expertParallel, contextParallel, pipeline });
  if (parts === 1) return;
  const split = [
    ...(pipeline === 1 ? [] : [`a pipeline of ${pipeline} stages`]),
    ...parallelTexts({ tensor, expert: expertParallel, context: contextParallel }),
  ].join(' with ');
  if (isMixed(precision))
    throw new BadInputError(`${split} does not support ${PRECISION_TITLES[precision]}; use fp32 or bf16`);
  if (gpus === undefined || gpus % parts === 0) return;
  throw new BadInputError(
    `${split} needs a multiple of ${parts} GPUs, and there are ${gpus}; change one of them`,
  );
}

/** @throws BadInputError for a precision in which a loss in chunks is not counted */
export function requireChunkedLoss({
  lossChunk,
  precision = 'fp32',
}: Pick<OptionValues, 'lossChunk' | 'precision'>): void {
  if (lossChunk === undefined || !isMixed(precision)) return;
  throw new BadInputError(
    `a loss in chunks is not counted with ${PRECISION_TITLES[precision]}; use fp32 or bf16`,
  );
}

/** @throws BadInputError for a setup that is not counted with a pipeline */
export function requirePipelineSetup({
  pipeline,
  pipelineSchedule,
  accumulate = 1,
  shard = 'ddp',
  linkGBps,
}: Pick<OptionValues, 'pipeline' | 'pipelineSchedule' | 'accumulate' | 'shard' | 'linkGBps'>): void {
  if (pipeline === undefined) {
    if (pipelineSchedule === undefined) return;
    throw new BadInputError('a pipeline schedule needs stages; set pipeline stages to 2 (--pipeline 2)');
  }
  if (pipelineSchedule !== 'gpipe' && accumulate < pipeline)
    throw new BadInputError(
      `1F1B needs a micro-batch for each of ${pipeline} stages; set accumulation to ${pipeline} or more (--accumulate ${pipeline})`,
    );
  if (shard !== 'ddp')
    throw new BadInputError(`${SHARD_TITLES[shard]} is not counted with a pipeline; use DDP (--shard ddp)`);
  if (linkGBps !== undefined)
    throw new BadInputError('copies to host memory are not counted with a pipeline; leave the link out');
}

/** A setup as the lab answers with it: nothing left out. */
export const trainingSetupSchema = z.object({
  precision: z.enum(PRECISIONS),
  optimizer: z.enum(OPTIMIZER_NAMES),
  stateInFloat32: z.boolean(),
  accumulate: z.number().int(),
  freesGradients: z.boolean(),
  sharding: z
    .object({
      gpus: z.number().int(),
      way: z.enum(SHARDS),
      experts: z.number().int().optional(),
      context: z.number().int().optional(),
    })
    .optional(),
  tensor: z.number().int().optional(),
  pipeline: z
    .object({
      stages: z.number().int(),
      schedule: z.enum(PIPELINE_SCHEDULES),
      microBatches: z.number().int(),
      stage: z.number().int().optional(),
    })
    .optional(),
});

/** Bytes as a function of the batch: fixed + batch * perSample. */
export const byteLineSchema = z.object({ fixed: z.number(), perSample: z.number() });

/** Everything that a plan holds at one instant (`HeldLine` of the engine). */
export const heldLineSchema = byteLineSchema.extend({
  instant: z.enum(['forward', 'loss', 'backward', 'optimizer']),
  stage: z.number().int().optional(),
  terms: z.record(z.enum(STEP_TERMS), byteLineSchema),
});

/** Everything that a plan holds at each step (`HeldSteps` of the engine). */
export const heldStepsSchema = z.object({
  total: z.object({ perSample: z.array(z.number()), fixed: z.array(z.number()) }),
  gradients: z.array(z.number()),
  lossActivations: byteLineSchema,
  optimizerActivations: byteLineSchema,
  constantBytes: z.number(),
});

/** Memory of a device, and the part that its context takes (`Room` of the engine). */
export const roomSchema = z.object({
  memoryBytes: z.number().positive().max(Number.MAX_SAFE_INTEGER),
  contextBytes: z.number().min(0).max(Number.MAX_SAFE_INTEGER),
});
