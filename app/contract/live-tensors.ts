import { z } from 'zod';
import { networkSchema } from './experiment.ts';
import { GRAPH_OPTIONS, PLAN_AND_LINK_OPTIONS } from './option-schemas.ts';

/** A strategy's plan: `batch` is the one that it was solved at, as plans may depend on it. */
export const liveTensorsRequestSchema = networkSchema.extend({
  ...GRAPH_OPTIONS,
  ...PLAN_AND_LINK_OPTIONS,
  batch: networkSchema.shape.batch,
  strategy: z.string().min(1).max(40),
});

const entries = z.array(z.number().int());

/**
 * Every tensor that one training step holds and when, as parallel arrays. Those with
 * first <= step <= last are live in a step and add up to the timeline's live bytes there; all steps at once,
 * so that a cursor on the step axis waits for no answer. Bytes at a batch: fixed + batch * perSample.
 */
export const liveTensorsSchema = z.object({
  /** Index into `ids` of the comparison. */
  vertices: entries,
  /** Index into HOLDER_KINDS of the engine. */
  holders: entries,
  first: entries,
  last: entries,
  perSample: z.array(z.number()),
  fixed: z.array(z.number()),
});

export type LiveTensorsRequest = z.infer<typeof liveTensorsRequestSchema>;
export type LiveTensorsRequestInput = z.input<typeof liveTensorsRequestSchema>;
export type LiveTensors = z.infer<typeof liveTensorsSchema>;
