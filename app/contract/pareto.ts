import { z } from 'zod';
import { experimentSchema } from './experiment.ts';

/** The network at its size; the front has its own strategies. */
export const paretoRequestSchema = experimentSchema.omit({
  strategies: true,
  checkpoints: true,
  budgetBytes: true,
  segments: true,
  checkpointing: true,
});

/** One plan that no other beats in both memory and recompute. */
export const paretoPointSchema = z.object({
  peakBytes: z.number(),
  /** Forward work done again / forward work of one step. */
  recomputeFraction: z.number(),
  /** Predicted time overhead, a share of 1. */
  predictedOverhead: z.number(),
  checkpoints: z.number().int(),
});

/**
 * `progress` while the front is searched; `front` whenever it changes, by falling memory: every plan known so
 * far that no other beats. The last one is the answer.
 */
export const paretoEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), done: z.number().min(0).max(1) }),
  z.object({ type: z.literal('front'), points: z.array(paretoPointSchema) }),
]);

export type ParetoRequest = z.infer<typeof paretoRequestSchema>;
export type ParetoRequestInput = z.input<typeof paretoRequestSchema>;
export type ParetoPoint = z.infer<typeof paretoPointSchema>;
export type ParetoEvent = z.infer<typeof paretoEventSchema>;
