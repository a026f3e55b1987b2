import { z } from 'zod';
import { SEARCHED } from '../../engine/strategies/search/search-stop.ts';
import { STRATEGY_OPTIONS } from '../../engine/strategies/strategy/strategy.ts';
import { CHECKPOINTINGS } from '../../engine/schedule/checkpointing.ts';
import { rowClaimSchema } from './claim.ts';
import { experimentSchema } from './experiment.ts';
import { heldLineSchema, heldStepsSchema, roomSchema, trainingSetupSchema } from './training-setup.ts';

export const modelInfoSchema = z.object({
  name: z.string(),
  title: z.string(),
  family: z.string(),
  linear: z.boolean(),
  defaultInput: z.number(),
  minInput: z.number(),
  /** Every admitted side is a multiple of this; 1 when absent. */
  inputMultiple: z.number().optional(),
  /** Unit of the input when it is not the side of an image in pixels. */
  inputUnit: z.enum(['tokens', 'features']).optional(),
  defaultBatch: z.number(),
  parameters: z.number(),
  /** Operations, and the papers' computation graph, at the default input. */
  vertices: z.number(),
  tensorVertices: z.number(),
  /** Both counts exist for a network of the zoo. */
  edges: z.number().optional(),
  tensorEdges: z.number().optional(),
  note: z.string(),
});

/** Traits of a strategy that hold on every network: `StrategyTraits` of the engine. */
export const strategyTraitsSchema = z.object({
  reads: z.partialRecord(z.enum(STRATEGY_OPTIONS), z.enum(['takes', 'needs'])),
  needsMilpSolver: z.literal(true).optional(),
  scalesWithBatch: z.boolean(),
  hasPaperCost: z.boolean(),
});

export const strategyInfoSchema = strategyTraitsSchema.extend({
  name: z.string(),
  title: z.string(),
  source: z.string(),
  guarantee: z.string(),
  takeFor: z.string(),
});

export const catalogSchema = z.object({
  models: z.array(modelInfoSchema),
  strategies: z.array(strategyInfoSchema),
});

/**
 * A series of bytes over the steps of a schedule as an affine function of the batch:
 * bytes[i] = fixed[i] + batch * perSample[i]. So a new batch size needs no new solution.
 */
export const scaledSeriesSchema = z.object({
  perSample: z.array(z.number()),
  fixed: z.array(z.number()),
});

/** The timeline of one training step (engine/simulate), ready to be scaled and drawn. */
export const timelineSchema = z.object({
  /** Index into STEP_KINDS of the engine, one entry a step. */
  kinds: z.array(z.number().int()),
  /** Index into `ids` of the comparison. */
  vertices: z.array(z.number().int()),
  backwardStart: z.number().int(),
  live: scaledSeriesSchema,
  checkpoints: scaledSeriesSchema,
  recomputed: scaledSeriesSchema,
  gradients: scaledSeriesSchema,
  auxiliaries: scaledSeriesSchema,
  /** Bytes in host memory; absent where a plan sends nothing there. */
  host: scaledSeriesSchema.optional(),
});

const stopSchema = z.object({
  limitSeconds: z.number().positive(),
  by: z.enum(['clock', 'work']),
  unfinished: z.array(
    z.object({
      what: z.enum(SEARCHED),
      tried: z.number().int().nonnegative(),
      of: z.number().int().nonnegative().nullable(),
    }),
  ),
});

/** One row of `solve`/`compare --json`, at the batch that was asked for. */
export const rowSchema = z.object({
  strategy: z.string(),
  applicable: z.boolean(),
  reason: z.string().nullable(),
  checkpoints: z.array(z.string()),
  paperCostBytes: z.number().nullable(),
  peakBytes: z.number().nullable(),
  /** Kept for backward at the end of the first forward under this plan, input batch included. */
  savedBytes: z.number().nullable().optional(),
  lowerBoundBytes: z.number().nullable(),
  recomputeFraction: z.number().nullable(),
  forwardFlops: z.number().nullable(),
  recomputeFlops: z.number().nullable(),
  /** Predicted time overhead, a share of 1. */
  predictedOverhead: z.number().nullable(),
  steps: z.number().nullable(),
  solveMs: z.number(),
  /** No plan of any strategy can be what was asked for, as within a budget. */
  infeasible: z.literal(true).optional(),
  /** Claim about the result (exactness, family searched). */
  claim: rowClaimSchema.nullable(),
  /** How its segments run; null where it is not made of segments. Rows of today always say it. */
  checkpointing: z.enum(CHECKPOINTINGS).nullable().optional(),
  /** Bytes that a schedule with transfers sends to host memory in a step, and the most held there. */
  sentBytes: z.number().optional(),
  hostPeakBytes: z.number().optional(),
  /** Predicted seconds of a step, where a device and its link are known, and of these waiting for copies. */
  stepSeconds: z.number().optional(),
  stalledSeconds: z.number().optional(),
  /** Limit that ended the search, and the work it left out. */
  stopped: stopSchema.optional(),
});

/** An experiment to be compared. */
export const comparisonRequestSchema = experimentSchema.extend({
  /** Room that a strategy fits into when it needs a budget and the experiment has none. */
  room: roomSchema.optional(),
});

/** Height and width of an image, or tokens of a sequence; 0 where the network takes neither. */
export const inputSizeSchema = z.object({ input: z.number(), inputUnit: z.literal('tokens').optional() });

export const comparisonHeadSchema = z.object({
  model: z.string(),
  batch: z.number(),
  ...inputSizeSchema.shape,
  profile: z.string(),
  vertices: z.number(),
  edges: z.number(),
  tensorVertices: z.number(),
  tensorEdges: z.number(),
  parameters: z.number(),
  regularPeakBytes: z.number(),
  savedBytes: z.number(),
  /** Weights, their half copies and gradients, and the optimizer's state. */
  stationaryBytes: z.number(),
  /** Part of these: the weights and the buffers of batch norm. */
  weightsBytes: z.number(),
  /** How it is trained. */
  setup: trainingSetupSchema,
});

/** Facts about a plan with transfers that its row lacks, at the requested batch. */
export const transfersSchema = z.object({
  fetchedBytes: z.number(),
  /** By the link of the experiment (engine/offload/step-times.ts); absent where it has none. */
  times: z
    .object({
      /** Seconds of a step of regular training on the same device. */
      regularSeconds: z.number(),
      /** Milliseconds at which each step starts. */
      startMs: z.array(z.number()),
    })
    .optional(),
});

/** A row, and all that a page scales to any batch. */
export const solvedRowSchema = z.object({
  row: rowSchema,
  timeline: timelineSchema.nullable(),
  /** Everything that is held against the batch, but the context: the highest of these. Empty without a plan. */
  held: z.array(heldLineSchema),
  /** The same at each step; null without a plan. */
  heldSteps: heldStepsSchema.nullable(),
  /** The budget of what `room` leaves, for which the plan was made; 0 where it leaves nothing. */
  budgetBytes: z.number().optional(),
  /** Least peak of activations that the strategy reaches, where it refuses a budget. */
  leastBytes: z.number().optional(),
  /** Absent where the plan sends nothing. */
  transfers: transfersSchema.optional(),
  /** Other facts that the answer depends on. */
  ...strategyTraitsSchema.pick({ reads: true, scalesWithBatch: true }).shape,
});

export const comparisonEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('head'),
    head: comparisonHeadSchema,
    /** Ids, operation kinds and bytes per sample of the operations, indexed by vertex. */
    ids: z.array(z.string()),
    operations: z.array(z.string()),
    bytesPerSample: z.array(z.number()),
    /** Forward and backward FLOPs per sample of the operations; all zero where nothing says them. */
    flopsPerSample: z.array(z.number()),
    backwardFlopsPerSample: z.array(z.number()),
  }),
  solvedRowSchema.extend({
    type: z.literal('row'),
    /** Milliseconds since the request, for the progress line. */
    elapsedMs: z.number(),
  }),
  z.object({ type: z.literal('progress'), strategy: z.string(), done: z.number().min(0).max(1) }),
]);

export type ModelInfoRow = z.infer<typeof modelInfoSchema>;
export type StrategyReads = StrategyInfo['reads'];
export type StrategyInfo = z.infer<typeof strategyInfoSchema>;
export type Catalog = z.infer<typeof catalogSchema>;
export type ScaledSeries = z.infer<typeof scaledSeriesSchema>;
export type ScaledTimeline = z.infer<typeof timelineSchema>;
export type Transfers = z.infer<typeof transfersSchema>;
export type Row = z.infer<typeof rowSchema>;
export type ComparisonRequest = z.infer<typeof comparisonRequestSchema>;
export type ComparisonHead = z.infer<typeof comparisonHeadSchema>;
export type SolvedRow = z.infer<typeof solvedRowSchema>;
export type ComparisonEvent = z.infer<typeof comparisonEventSchema>;
