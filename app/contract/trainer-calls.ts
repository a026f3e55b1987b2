import { events, result } from './calls.ts';
import { steeredSchema, steerRequestSchema, trainEventSchema, trainRequestSchema } from './training.ts';

/** Everything that is asked of the trainer. */
export const trainerCalls = {
  /** A training run; ends after `done`. Abort to cancel at the next step. */
  train: events(trainRequestSchema, trainEventSchema),
  /** Pauses or resumes a run by its name; `running` is false when it has ended, or never was. */
  steerTraining: result(steerRequestSchema, steeredSchema),
};

export type TrainerCalls = typeof trainerCalls;
