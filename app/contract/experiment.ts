import { z } from 'zod';
import { DEVICE_NAMES } from '../../engine/devices/devices.ts';
import { PROFILES } from '../../engine/ops/definition.ts';
import { CHECKPOINTINGS } from '../../engine/schedule/checkpointing.ts';
import { linkFields } from './link.ts';
import { PLAN_NAME } from './opened-file.ts';
import { trainingFields } from './training-setup.ts';

/** Limits of what may be asked for; the engine refuses the same with its own sentences. */
export const MAX_BATCH = 65536;
export const MAX_INPUT = 8192;
/** Of a network cut into equal ones; its stages bound them besides. */
export const MAX_SEGMENTS = 1_000_000;
/** What a network still learns with. */
export const MAX_DROPOUT = 0.95;
/** Networks that an experiment compares at once, the one in front included. */
export const MAX_NETWORKS = 8;

export const profileSchema = z.enum(PROFILES);
export const checkpointingSchema = z.enum(CHECKPOINTINGS);
export const dtypeSchema = z.enum(['float32', 'float16']);

/** One network of an experiment, at one size. */
export const networkSchema = z.object({
  model: z.string().min(1).max(120),
  /** Images (samples) per step. */
  batch: z.number().int().min(1).max(MAX_BATCH),
  /** Side of the square input in pixels; the network's own when absent. */
  input: z.number().int().min(1).max(MAX_INPUT).optional(),
  /** Dropout rate; 0 as the papers measured when absent. */
  dropout: z.number().min(0).max(MAX_DROPOUT).optional(),
});

/** A network beside the one in front; at the same batch where it has none of its own. */
export const besideSchema = z.object({
  model: networkSchema.shape.model,
  batch: networkSchema.shape.batch.optional(),
  input: networkSchema.shape.input,
});

/** Seconds that somebody at a screen may give a search. */
export const LEAST_LIMIT_S = 0.1;
export const MOST_LIMIT_S = 3600;

/** What all screens look at: which network at which size, under which strategies. */
export const experimentSchema = networkSchema.extend({
  strategies: z.array(z.string().min(1).max(40)).min(1).max(32),
  profile: profileSchema.default('pytorch'),
  dtype: dtypeSchema.default('float32'),
  ...trainingFields,
  seed: z.number().int().min(0).max(0xffffffff).default(0),
  /** For `manual`: ids of the user's own checkpoints. */
  checkpoints: z.array(z.string().min(1).max(200)).max(4096).optional(),
  /** For `sequential`: into how many segments the network is cut; the best number when absent. */
  segments: z.number().int().min(1).max(MAX_SEGMENTS).optional(),
  /** How long a search may take, in seconds; each strategy's own default when absent. */
  timeLimitSeconds: z.number().min(LEAST_LIMIT_S).max(MOST_LIMIT_S).optional(),
  /** How the segments of a strategy that is made of them run; `non-reentrant` when absent. */
  checkpointing: checkpointingSchema.optional(),
  /** For `plan`: the name of a plan that this lab was given. */
  plan: z.string().regex(PLAN_NAME).optional(),
  budgetBytes: z.number().positive().max(Number.MAX_SAFE_INTEGER).optional(),
  /** Preset of the device that the network is meant for; changes no plan, only what fits, unless a link is given. */
  device: z.enum(DEVICE_NAMES).optional(),
  /** The user's own figures for that device, where they are not the preset's. */
  deviceGiB: z.number().min(0.125).max(65536).optional(),
  contextGiB: z.number().min(0).max(65536).optional(),
  ...linkFields,
  /** Further networks of the comparison. Whoever asks about one network leaves them out. */
  also: z
    .array(besideSchema)
    .max(MAX_NETWORKS - 1)
    .optional(),
});

export type NetworkChoice = z.infer<typeof networkSchema>;
export type BesideNetwork = z.infer<typeof besideSchema>;
export type Experiment = z.infer<typeof experimentSchema>;
export type ExperimentInput = z.input<typeof experimentSchema>;
