import { z } from 'zod';
import { networkSchema } from './experiment.ts';
import { EXPERIMENT_OPTIONS, GRAPH_OPTIONS } from './option-schemas.ts';

/** A network at one size, as it is played. */
export const gameRequestSchema = networkSchema.extend({
  ...GRAPH_OPTIONS,
  batch: networkSchema.shape.batch,
  checkpointing: EXPERIMENT_OPTIONS.checkpointing,
});

/** Targets for a player, in bytes of a training step; the page computes Eq. 2 itself. */
export const gameTargetsSchema = z.object({
  regularPeakBytes: z.number(),
  /** The least peak of all sets of checkpoints, or the least known. */
  leastPeakBytes: z.number(),
  isExact: z.boolean(),
  /** No schedule has less. */
  boundBytes: z.number(),
  /** Ids of a set that has it. */
  checkpoints: z.array(z.string()),
});

export const judgeRequestSchema = gameRequestSchema.extend({
  checkpoints: EXPERIMENT_OPTIONS.checkpoints.unwrap(),
});

/** Verdict of the simulator on a set; `reason` alone when the set cannot be kept. */
export const judgedSetSchema = z.union([
  z.object({
    peakBytes: z.number(),
    recomputeFraction: z.number(),
    /** Position of the peak: the operation that runs then, and the largest tensor in memory. */
    peak: z.object({
      pass: z.enum(['forward', 'recompute', 'backward']),
      id: z.string(),
      largest: z.string(),
      largestBytes: z.number(),
    }),
  }),
  z.object({ reason: z.string() }),
]);

export type GameRequest = z.infer<typeof gameRequestSchema>;
export type GameTargets = z.infer<typeof gameTargetsSchema>;
export type JudgeRequest = z.infer<typeof judgeRequestSchema>;
export type JudgedSet = z.infer<typeof judgedSetSchema>;
