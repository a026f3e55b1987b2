import { z } from 'zod';
import { experimentSchema } from './experiment.ts';
import { GRAPH_OPTIONS, MEMORY_OPTIONS } from './option-schemas.ts';
import { roomSchema } from './training-setup.ts';

/** Most ways in one answer. */
export const MAX_WAYS = 5;

/** A network with its training setup that does not fit a device. */
export const waysRequestSchema = experimentSchema
  .omit({ strategies: true, also: true, budgetBytes: true })
  .extend({ room: roomSchema });

/** A first step that makes training fit. */
export const waySchema = z.object({
  /** Changed options of the experiment; empty where a plan alone suffices. */
  change: z.object({ ...GRAPH_OPTIONS, ...MEMORY_OPTIONS }).omit({ profile: true, dtype: true }),
  /** `regular` where no plan is needed. */
  strategy: z.string(),
  totalBytes: z.number(),
  /** Predicted share of the time of a regular step without the change; null where it is unknown. */
  overhead: z.number().nullable(),
  /** True if training ends with other weights: other samples an update, precision, optimizer or trained parameters. */
  changesResult: z.boolean(),
  /** On all GPUs together. */
  samplesAnUpdate: z.number().int(),
});

export type WaysRequest = z.infer<typeof waysRequestSchema>;
export type WaysRequestInput = z.input<typeof waysRequestSchema>;
export type Way = z.infer<typeof waySchema>;
