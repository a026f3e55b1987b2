import { z } from 'zod';
import { events, result } from './calls.ts';
import { addingSchema, addTensorflowSchema, tensorflowSchema } from './setup.ts';

/** Parts that can be added to an installed lab. Answered in main/setup. */
export const setupCalls = {
  tensorflow: result(z.void(), tensorflowSchema),
  /** Adds it, only ever when asked; ends when the next run can use it. Abort to cancel: nothing is left then. */
  addTensorflow: events(addTensorflowSchema, addingSchema),
};

export type SetupCalls = typeof setupCalls;
