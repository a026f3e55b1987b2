import { z } from 'zod';
import { experimentSchema } from './experiment.ts';
import { inputSizeSchema } from './results.ts';
import { byteLineSchema, heldLineSchema, trainingSetupSchema } from './training-setup.ts';

/**
 * The limits of an experiment's strategies on a device. The largest input is asked for at the batch of the experiment,
 * the largest batch at its input.
 */
export const limitsRequestSchema = experimentSchema.extend({
  /** Device memory for a step and everything stationary; its context is already subtracted. */
  memoryBytes: z.number().positive().max(Number.MAX_SAFE_INTEGER),
  /** Searches the largest input too, which takes longer than everything else. */
  largestInput: z.boolean().default(true),
});

export const batchLimitSchema = z.object({
  /** 0 where not even one sample fits. */
  batch: z.number().int(),
  /** The limit is the largest batch that may be asked for, not the memory. */
  capped: z.boolean(),
  /** Live bytes of the step at that batch. */
  peakBytes: z.number().nullable(),
  /** Everything that is held at that batch, but the context. */
  heldBytes: z.number().nullable(),
  /** Everything that a batch of one needs, but the context. */
  leastBytes: z.number(),
});

export const inputLimitSchema = z.object({
  /** Height and width, or what `unit` says; 0 where not even the smallest input fits. */
  input: z.number().int(),
  unit: z.enum(['tokens', 'features']).optional(),
  /** The limit is the largest input that may be asked for: neither the memory nor the network itself. */
  capped: z.boolean(),
  peakBytes: z.number().nullable(),
  /** Everything that is held at the smallest input, but the context. */
  leastBytes: z.number(),
});

export const strategyLimitSchema = z.object({
  strategy: z.string(),
  /** Why there is no plan; null where there is one, and then all that follows is there (but the input of a file). */
  reason: z.string().nullable(),
  /** The peak against the batch: the highest of these lines. */
  lines: z.array(byteLineSchema),
  /** Everything that is held against the batch: the highest of these. */
  held: z.array(heldLineSchema),
  batch: batchLimitSchema.nullable(),
  input: inputLimitSchema.nullable(),
  /** Forwards, recomputes and backwards of one step, and their FLOPs per sample; null without FLOPs. */
  operations: z.number().int(),
  flopsPerSample: z.number().nullable(),
});

/** One `head`, then a `row` for each strategy in the order asked for. */
export const limitsEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('head'),
    model: z.string(),
    batch: z.number(),
    ...inputSizeSchema.shape,
    parameters: z.number(),
    /** Weights, their half copies and gradients, and the optimizer's state. */
    stationaryBytes: z.number(),
    /** How it is trained. */
    setup: trainingSetupSchema,
  }),
  z.object({ type: z.literal('row'), row: strategyLimitSchema }),
  z.object({ type: z.literal('progress'), strategy: z.string(), done: z.number().min(0).max(1) }),
]);

export type LimitsRequest = z.infer<typeof limitsRequestSchema>;
export type LimitsRequestInput = z.input<typeof limitsRequestSchema>;
export type StrategyLimit = z.infer<typeof strategyLimitSchema>;
export type LimitsEvent = z.infer<typeof limitsEventSchema>;
