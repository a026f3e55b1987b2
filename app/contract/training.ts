import { z } from 'zod';
import { BACKENDS } from './backends.ts';
import { networkSchema } from './experiment.ts';
import { PLAN_AND_LINK_OPTIONS } from './option-schemas.ts';
import { timelineSchema } from './results.ts';

export const backendSchema = z.enum(BACKENDS);

export const MAX_ITERATIONS = 100_000;
export const MAX_PAIRS = 1000;
const MAX_FILE_TEXT = 64 * 1024 * 1024;

export const trainRequestSchema = networkSchema.extend({
  ...PLAN_AND_LINK_OPTIONS,
  strategy: z.string().min(1).max(40),
  iterations: z.number().int().min(1).max(MAX_ITERATIONS),
  /** The first that works, in the order of BACKENDS (cpu only when asked for), when absent. */
  backend: backendSchema.optional(),
  learningRate: z.number().positive().max(10).default(0.01),
  momentum: z.number().min(0).max(0.999).default(0.9),
  /** A network of the user's own in place of the zoo's `model`: the text of a zigzag-graph/1 of one sample. */
  graph: z.string().max(MAX_FILE_TEXT).optional(),
  /** For `plan`: the text of a zigzag-plan/1 file, made for the profile tfjs. */
  plan: z.string().max(MAX_FILE_TEXT).optional(),
  /** Folder of CIFAR-10's binary version on the machine of the lab; synthetic data when absent. */
  dataFolder: z.string().min(1).max(4096).optional(),
  /** Classic mistakes, for teaching: running statistics take every forward for a new batch. */
  naiveStatistics: z.boolean().optional(),
  /** And: every further forward draws a new dropout mask. */
  naiveDropout: z.boolean().optional(),
  /** Pairs of a regular and a strategy's iteration that measure the overhead in time, after the iterations. */
  pairs: z.number().int().min(1).max(MAX_PAIRS).optional(),
  /** Measures the largest batch that runs below the cap instead; batch, iterations, data and other measurements are ignored. */
  largestBatch: z.boolean().optional(),
  /** Cap on live tensor bytes of the trainer; more is refused as out of memory. */
  memoryCapBytes: z.number().positive().max(Number.MAX_SAFE_INTEGER).optional(),
  /**
   * Measures the time of every operation on this backend before solving; the strategy then minimises these
   * times in place of FLOPs ("optimise for this device").
   */
  measuredCosts: z.boolean().optional(),
  /** After the iterations, runs at two batch sizes: what memory grows by per sample (paper 001). */
  batchDifference: z.boolean().optional(),
  /** Name of the run, of the client's choice, by which `steerTraining` finds it. */
  run: z.string().min(1).max(100).optional(),
});

/** Pauses a run at its next step, or lets it go on exactly where it was. */
export const steerRequestSchema = z.object({
  run: z.string().min(1).max(100),
  paused: z.boolean(),
});

/** True when such a run exists. */
export const steeredSchema = z.object({ running: z.boolean() });

/** Current phase of a run, when it takes longer than a moment. */
export const TRAINING_PHASES = ['warm-up', 'costs', 'iterations', 'pairs', 'probes', 'difference'] as const;

/** A training that diverges has losses that are infinite or no number; the run goes on. */
const lossSchema = z.custom<number>((value) => typeof value === 'number', 'expected a number');

/** Events of a training run, in order; `zigzag train --json` prints one a line. */
export const trainEventSchema = z.discriminatedUnion('event', [
  z.object({
    /** Before `start`: measured times by vertex, medians over the iterations; 0 for the source. */
    event: z.literal('costs'),
    iterations: z.number(),
    /** Times of one more forward in the same step: the price of a recompute. */
    forwardMs: z.array(z.number()),
    /** Times of a step's first forward, which may have to pack new parameters. */
    firstForwardMs: z.array(z.number()).optional(),
    backwardMs: z.array(z.number()),
  }),
  z.object({
    /** At most a few a second, for what takes over two seconds. */
    event: z.literal('progress'),
    phase: z.enum(TRAINING_PHASES),
    /** Whole and begun iterations, pairs or probes, so that it is seldom a whole number. */
    done: z.number(),
    of: z.number(),
    /** Time left of this phase; null while nobody can tell. */
    leftMs: z.number().nullable(),
  }),
  z.object({
    /** The run holds at a step, or goes on. Nothing is sent in between. */
    event: z.literal('paused'),
    paused: z.boolean(),
  }),
  z.object({
    event: z.literal('start'),
    backend: backendSchema,
    /** Why this backend: which were tried before it and what stood in the way. */
    backendReason: z.string(),
    /** Why a GPU that is here is not used, as a phrase; absent where none is, it is used, or that was asked for. */
    unusedGpu: z.string().optional(),
    /** Device that the backend reports. */
    device: z.string(),
    model: z.string(),
    batch: z.number(),
    input: z.number(),
    strategy: z.string(),
    iterations: z.number(),
    stationaryBytes: z.number(),
    predictedPeakBytes: z.number(),
    predictedOverhead: z.number(),
    /** The same by this device's measured times, with `measuredCosts`. */
    predictedOverheadMeasuredCosts: z.number().optional(),
    recomputeFraction: z.number(),
    /** Operation ids, indexed by vertex. */
    ids: z.array(z.string()),
    /** Prediction under profile `tfjs`, at this batch (perSample is all that varies). */
    timeline: timelineSchema,
  }),
  z.object({
    event: z.literal('steps'),
    iteration: z.number(),
    /** First step of this batch of samples. */
    from: z.number(),
    /** Measured live bytes at the instants of the simulator, stationary bytes subtracted. */
    bytes: z.array(z.number()),
  }),
  z.object({
    event: z.literal('iteration'),
    iteration: z.number(),
    ms: z.number(),
    loss: lossSchema,
    measuredPeakBytes: z.number(),
    /** The most that the device itself reported after any step, all it holds included; null where it cannot tell. */
    deviceBytes: z.number().nullable().optional(),
    /** With naive statistics: distance of the running statistics from the right ones, a share of these. */
    statisticsDrift: z.number().optional(),
  }),
  z.object({
    /** After every pair: the overhead in time by the pairs so far, shares of 1. */
    event: z.literal('overhead'),
    measured: z.number(),
    /** First and third quartile over the pairs. */
    quartiles: z.tuple([z.number(), z.number()]),
    /** 95 % confidence interval of `measured`; null with fewer than six pairs. Older runs lack it. */
    interval: z.tuple([z.number(), z.number()]).nullable().optional(),
    /** By FLOPs. */
    predicted: z.number(),
    /** By this device's measured times, with `measuredCosts`. */
    predictedMeasuredCosts: z.number().optional(),
    /** How many pairs this is of. */
    pairs: z.number(),
    /** How many there will be. */
    planned: z.number(),
  }),
  z.object({
    /** One batch of the search for the largest: whether one iteration of it ran. */
    event: z.literal('probe'),
    batch: z.number(),
    ran: z.boolean(),
    /** Why it did not run; null when it did. */
    reason: z.string().nullable(),
  }),
  z.object({
    event: z.literal('largest'),
    batch: z.number(),
    /** It is the largest batch that may be asked for, so that larger ones might run too. */
    isMost: z.boolean(),
  }),
  z.object({
    /** Memory growth per sample: everything fixed cancels. */
    event: z.literal('difference'),
    batches: z.tuple([z.number(), z.number()]),
    /** Measured peaks of live tensors at these batches, stationary bytes subtracted. */
    peakBytes: z.tuple([z.number(), z.number()]),
    /** The most that the device itself reported; null where it cannot tell. */
    deviceBytes: z.tuple([z.number().nullable(), z.number().nullable()]),
    /** By `peakBytes`. */
    perSampleBytes: z.number(),
    /** By the simulator. */
    predictedPerSampleBytes: z.number(),
  }),
  z.object({
    event: z.literal('done'),
    backend: backendSchema,
    strategy: z.string(),
    predictedPeakBytes: z.number(),
    measuredPeakBytes: z.number(),
    stationaryBytes: z.number(),
    iterationMs: z.array(z.number()),
    loss: z.array(lossSchema),
    /** Median of the iterations after the first, which warms up; null if there is only one. */
    medianMs: z.number().nullable().optional(),
    /** First and third quartile of the same. */
    quartilesMs: z.tuple([z.number(), z.number()]).nullable().optional(),
  }),
]);

export type TrainingPhase = (typeof TRAINING_PHASES)[number];
export type SteerRequest = z.infer<typeof steerRequestSchema>;
export type Steered = z.infer<typeof steeredSchema>;
export type TrainRequest = z.infer<typeof trainRequestSchema>;
export type TrainRequestInput = z.input<typeof trainRequestSchema>;
export type TrainEvent = z.infer<typeof trainEventSchema>;
/** The events of one name. */
export type TrainEventOf<Name extends TrainEvent['event'] = TrainEvent['event']> = Extract<
  TrainEvent,
  { event: Name }
>;
