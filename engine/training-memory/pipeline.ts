/** Schedules of torch.distributed.pipelining: `ScheduleGPipe` and `Schedule1F1B`. */
export const PIPELINE_SCHEDULES = ['1f1b', 'gpipe'] as const;
export const PIPELINE_SCHEDULE_TITLES = { '1f1b': '1F1B', gpipe: 'GPipe' } as const;

/** One stage of a model whose layers are divided over GPUs. */
export interface Pipeline {
  readonly stages: number;
  /** From 1 on; absent where none is chosen. */
  readonly stage?: number | undefined;
  readonly schedule: (typeof PIPELINE_SCHEDULES)[number];
  /** Parts of a step's batch, one after the other. */
  readonly microBatches: number;
}

/**
 * Micro-batches whose activations a stage holds at once: under GPipe all (Huang et al. 2019), under 1F1B as many as
 * stages are left (Narayanan et al. 2019).
 */
export const microBatchesInFlight = ({ stages, stage = 1, schedule, microBatches }: Pipeline): number =>
  schedule === 'gpipe' ? microBatches : Math.min(microBatches, stages - stage + 1);

/** One micro-batch of a stage; bytes. */
export interface MicroBatch {
  /** Tokens, or activations of the stage before. */
  readonly input: number;
  readonly output: number;
  /** Kept from its forward to its backward, input included. */
  readonly kept: number;
  /** True if the output is among what is kept. */
  readonly keepsOutput: boolean;
  readonly lossKept: number;
  readonly labels: number;
}

/** Bytes that a stage holds for the other micro-batches. */
export interface InFlight {
  readonly forward: number;
  readonly backward: number;
}

/**
 * Memory of `PipelineStage` of PyTorch 2.15 beside one micro-batch (torch/distributed/pipelining/stage.py). A micro-batch
 * in flight has its received input and all that its backward needs. The last stage keeps its scores and what the loss
 * keeps, too. Another stage frees an output once it was sent, but not under DDP. All tokens and labels of a step are
 * there throughout. Where more micro-batches follow, the last gradient that was sent stays until the next.
 *
 * @param isReplicated true under DDP
 */
export function inFlight(
  pipeline: Pipeline,
  { input, output, kept, keepsOutput, lossKept, labels }: MicroBatch,
  isReplicated: boolean,
): InFlight {
  const others = microBatchesInFlight(pipeline) - 1;
  const { stages, stage = 1, schedule, microBatches } = pipeline;
  const [isFirst, isLast] = [stage === 1, stage === stages];
  const loose = keepsOutput ? 0 : output;
  const each =
    (isFirst ? kept - input : kept) + (isLast || isReplicated ? loose : 0) + (isLast ? lossKept : 0);
  const throughout = (microBatches - 1) * ((isFirst ? input : 0) + (isLast ? labels : 0));
  const sending = isLast || isReplicated ? 0 : loose * (schedule === 'gpipe' ? others : Math.min(1, others));
  const sent = isFirst || others + 1 === microBatches ? 0 : input;
  const both = others * each + throughout + sent;
  return { forward: both + sending, backward: both };
}
