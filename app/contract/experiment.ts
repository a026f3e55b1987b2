import { z } from 'zod';
import { EXPERIMENT_OPTIONS } from './option-schemas.ts';

/** Networks that an experiment compares at once, the one in front included. */
export const MAX_NETWORKS = 8;

const { batch, input, dropout } = EXPERIMENT_OPTIONS;

/** One network of an experiment, at one size; each of the sizes but the batch is the network's own when absent. */
export const networkSchema = z.object({
  model: z.string().min(1).max(120),
  batch: batch.unwrap(),
  input,
  dropout,
});

/** A network beside the one in front; at the same batch where it has none of its own. */
export const besideSchema = z.object({ model: networkSchema.shape.model, batch, input });

/** Experiment that all screens show: the network, the strategies and the options of the table. */
export const experimentSchema = networkSchema.extend({
  ...EXPERIMENT_OPTIONS,
  batch: networkSchema.shape.batch,
  strategies: z.array(z.string().min(1).max(40)).min(1).max(32),
  /** Further networks of the comparison. Requests about one network leave them out. */
  also: z
    .array(besideSchema)
    .max(MAX_NETWORKS - 1)
    .optional(),
});

export type NetworkChoice = z.infer<typeof networkSchema>;
export type BesideNetwork = z.infer<typeof besideSchema>;
export type Experiment = z.infer<typeof experimentSchema>;
export type ExperimentInput = z.input<typeof experimentSchema>;
