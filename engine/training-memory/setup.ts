import { type OptimizerName, optimizerOf } from './optimizers.ts';
import { type Pipeline, PIPELINE_SCHEDULE_TITLES } from './pipeline.ts';

/** In which element types a step computes, by the names that the command line takes. */
export const PRECISIONS = ['fp32', 'tf32', 'amp-fp16', 'amp-bf16', 'bf16'] as const;
export type Precision = (typeof PRECISIONS)[number];

/**
 * `tf32` rounds the factors of float32 products inside the tensor cores and changes no byte (PyTorch, "CUDA
 * semantics", TensorFloat-32). `amp-*` is `torch.autocast`: weights stay in float32 and are the master weights, and
 * products run on half copies (autocast.ts; Micikevicius et al. 2018, section 3.1). `bf16` is `model.bfloat16()`:
 * everything has two bytes.
 */
export const PRECISION_TITLES: Readonly<Record<Precision, string>> = {
  fp32: 'float32',
  tf32: 'TF32 products',
  'amp-fp16': 'mixed, float16 (AMP)',
  'amp-bf16': 'mixed, bfloat16 (AMP)',
  bf16: 'pure bfloat16',
};

/** Memory settings of training. */
export interface TrainingSetup {
  readonly precision: Precision;
  readonly optimizer: OptimizerName;
  /** True keeps the optimizer's state in float32 where the weights have two bytes; PyTorch's keep the weights' type. */
  readonly stateInFloat32: boolean;
  /** Steps of forward and backward whose gradients add up before the optimizer steps; the batch is that of one. */
  readonly accumulate: number;
  /** True frees gradients before a forward, as `zero_grad(set_to_none=True)` does; else they are zeroed and kept. */
  readonly freesGradients: boolean;
  /** Absent where there is one GPU; memory is then of each of them, and so is the batch. */
  readonly sharding?: Sharding | undefined;
  /** GPUs that share one model by tensor parallel; absent where each has the whole. */
  readonly tensor?: number | undefined;
  /** Absent where a GPU has all layers; memory is then of one stage. */
  readonly pipeline?: Pipeline | undefined;
}

/** As wherever nothing else is said; how gradients are treated is PyTorch's default. */
export const USUAL_SETUP: TrainingSetup = {
  precision: 'fp32',
  optimizer: 'momentum',
  stateInFloat32: false,
  accumulate: 1,
  freesGradients: true,
};

/** Ways in which several GPUs share the work of a step: PyTorch's, and the stages of DeepSpeed's ZeRO. */
export const SHARDS = ['ddp', 'zero1', 'zero2', 'zero3', 'fsdp2'] as const;

/** Several GPUs, each with a batch of its own. */
export interface Sharding {
  readonly gpus: number;
  readonly way: (typeof SHARDS)[number];
  /** GPUs of these among which the experts of each layer are divided; absent where each has all. */
  readonly experts?: number | undefined;
  /** GPUs of these that each have a part of every sequence; absent where each has whole ones. */
  readonly context?: number | undefined;
}

export const SHARD_TITLES: Readonly<Record<Sharding['way'], string>> = {
  ddp: 'DDP',
  zero1: 'ZeRO-1',
  zero2: 'ZeRO-2',
  zero3: 'ZeRO-3',
  fsdp2: 'FSDP2',
};

export const MAX_ACCUMULATE = 65536;

/** Processes that train together, each on a GPU of its own. */
export const ranksOf = ({ sharding, tensor, pipeline }: TrainingSetup): number =>
  (sharding?.gpus ?? 1) * (tensor ?? 1) * (pipeline?.stages ?? 1);

/** True if every gradient is there throughout: they are added to, or were never freed. */
export const keepsGradients = ({ accumulate, freesGradients }: TrainingSetup): boolean =>
  accumulate > 1 || !freesGradients;

export const isMixed = (precision: Precision): boolean =>
  precision === 'amp-fp16' || precision === 'amp-bf16';

/** Bytes of an element of the weights, and of their gradients. */
export const weightBytes = (precision: Precision): number => (precision === 'bf16' ? 2 : 4);

/** Memory beside a step, in words: `weights, gradients and momentum`. */
export function stationaryText({ precision, optimizer }: TrainingSetup): string {
  const { says } = optimizerOf(optimizer);
  const parts = [
    'weights',
    ...(isMixed(precision) ? ['half copies'] : []),
    'gradients',
    ...(says === null ? [] : [says]),
  ];
  return new Intl.ListFormat('en-GB').format(parts);
}

/** `tensor parallel of 2`, for each number of GPUs above 1. */
export const parallelTexts = (
  gpus: Readonly<Record<'tensor' | 'expert' | 'context', number | undefined>>,
): readonly string[] =>
  Object.entries(gpus).flatMap(([way, n = 1]) => (n === 1 ? [] : [`${way} parallel of ${n}`]));

/** `AdamW in float32, gradients of 4 steps added`, for a sentence. */
export function setupText(setup: TrainingSetup): string {
  const { precision, optimizer, accumulate, stateInFloat32, freesGradients, sharding, tensor, pipeline } =
    setup;
  const gpus = ranksOf(setup);
  const state = stateInFloat32 && precision === 'bf16' ? ' with its state in float32' : '';
  const kept =
    accumulate > 1
      ? `, gradients of ${accumulate} ${pipeline === undefined ? 'steps' : 'micro-batches'} added`
      : freesGradients
        ? ''
        : ', gradients kept';
  const under = [
    ...(pipeline === undefined ? [] : [pipelineText(pipeline)]),
    ...parallelTexts({ tensor, expert: sharding?.experts, context: sharding?.context }),
    ...(sharding === undefined ? [] : [SHARD_TITLES[sharding.way]]),
  ];
  const ranks =
    gpus === 1 ? '' : `, on each of ${gpus} GPUs under ${new Intl.ListFormat('en-GB').format(under)}`;
  return `${optimizerOf(optimizer).title}${state}, ${PRECISION_TITLES[precision]}${kept}${ranks}`;
}

/** `stage 1 of 4 (1F1B)`. */
const pipelineText = ({ stages, stage, schedule }: Pipeline): string =>
  `${stage === undefined ? '' : `stage ${stage} of `}a pipeline of ${stages} stages (${PIPELINE_SCHEDULE_TITLES[schedule]})`;
