import { z } from 'zod';
import { networkSchema } from './experiment.ts';
import { EXPERIMENT_OPTIONS, GRAPH_OPTIONS, MEMORY_OPTIONS } from './option-schemas.ts';
import { byteLineSchema, heldLineSchema } from './training-setup.ts';

/** The network at its size; the front has its own strategies, and its bargain is drawn at random too. */
export const paretoRequestSchema = networkSchema.extend({
  ...GRAPH_OPTIONS,
  ...MEMORY_OPTIONS,
  batch: networkSchema.shape.batch,
  seed: EXPERIMENT_OPTIONS.seed,
});

/** One plan that no other beats in both memory and recompute. */
export const paretoPointSchema = z.object({
  peakBytes: z.number(),
  /** Forward work done again / forward work of one step. */
  recomputeFraction: z.number(),
  /** Predicted time overhead, a share of 1. */
  predictedOverhead: z.number(),
  checkpoints: z.number().int(),
  /** Everything that its plan holds against the batch, but the context: the highest of these. */
  held: z.array(byteLineSchema),
});

/** The knee of the front (`kneeOf` of the engine), as the plan that `budget` makes within its peak. */
export const bargainSchema = paretoPointSchema.omit({ checkpoints: true, held: true }).extend({
  /** Budget given to `budget`: the peak at the knee. */
  budgetBytes: z.number(),
  /** Everything that the plan holds against the batch, but the context. */
  held: z.array(heldLineSchema),
});

/** A plan of the front by its peak. */
export const frontPlanRequestSchema = paretoRequestSchema.extend({ peakBytes: z.number() });

/** Lower bound for every schedule of the network at that batch (engine/bounds/recompute-bound.ts). */
export const recomputeBoundSchema = z.object({
  floorBytes: z.number(),
  forwardWork: z.number(),
  workUnit: z.number(),
  lines: z.array(z.object({ sum: z.number(), price: z.number(), fixedBytes: z.number() })),
});

/**
 * `progress` while the front is searched; `front` whenever it changes, by falling memory: every plan known so
 * far that no other beats. The last one is the answer. Then, once each, `bound`, what is proved, and `bargain`: null where the front has no knee, or what
 * is there does not need less than regular training.
 */
export const paretoEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), done: z.number().min(0).max(1) }),
  z.object({ type: z.literal('front'), points: z.array(paretoPointSchema) }),
  z.object({ type: z.literal('bound'), bound: recomputeBoundSchema }),
  z.object({ type: z.literal('bargain'), bargain: bargainSchema.nullable() }),
]);

export type ParetoRequest = z.infer<typeof paretoRequestSchema>;
export type FrontPlanRequest = z.infer<typeof frontPlanRequestSchema>;
export type FrontPlanRequestInput = z.input<typeof frontPlanRequestSchema>;
export type ParetoRequestInput = z.input<typeof paretoRequestSchema>;
export type ParetoPoint = z.infer<typeof paretoPointSchema>;
export type Bargain = z.infer<typeof bargainSchema>;
export type ParetoEvent = z.infer<typeof paretoEventSchema>;
