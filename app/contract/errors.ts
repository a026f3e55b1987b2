import { z } from 'zod';

/**
 * Typed failures of the contract. `message` is always one clear sentence that says what to do.
 * The codes are the same on both carriers.
 */
export const labErrors = {
  BAD_INPUT: { data: z.object({ path: z.string() }) },
  INFEASIBLE: { data: z.object({ leastBytes: z.number().nullable() }) },
  OUT_OF_MEMORY: { data: z.object({ bytes: z.number().nullable() }) },
  WORKER_DIED: { data: z.object({ worker: z.enum(['solver', 'trainer', 'history']), reason: z.string() }) },
  BUSY: { data: z.object({}) },
  /** An optional part was not added; nothing of it is left behind. */
  NOT_ADDED: { data: z.object({}) },
  INTERNAL: { data: z.object({ detail: z.string() }) },
} as const;

export type LabErrorCode = keyof typeof labErrors;
