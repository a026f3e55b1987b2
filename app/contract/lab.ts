import { z } from 'zod';
import { historyCalls } from './history-calls.ts';
import { procedure, proceduresOf } from './procedures.ts';
import { setupCalls } from './setup-calls.ts';
import { solverCalls } from './solver-calls.ts';
import { trainerCalls } from './trainer-calls.ts';

/**
 * Everything a face of the lab can ask of its host. One contract, three carriers (Electron's message
 * ports, WebSocket, a worker's port on the static site); aborting the call's signal cancels the work behind it.
 */
export const labContract = {
  about: procedure.output(
    z.object({
      version: z.string(),
      carrier: z.enum(['desktop', 'browser', 'site', 'test']),
      platform: z.string(),
      logicalCpus: z.number(),
      /** Null where a browser does not say. */
      memoryBytes: z.number().nullable(),
      /** Address of the static site to which self-contained links lead; null where none is known. */
      site: z.string().nullable(),
    }),
  ),
  ...proceduresOf(solverCalls),
  ...proceduresOf(trainerCalls),
  ...proceduresOf(historyCalls),
  ...proceduresOf(setupCalls),
};

export type LabContract = typeof labContract;
