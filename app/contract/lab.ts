import { z } from 'zod';
import {
  annotateSchema,
  historySchema,
  importedRunsSchema,
  importRunsSchema,
  runIdsSchema,
} from './history.ts';
import { procedure, proceduresOf } from './procedures.ts';
import { recordedRunSchema, runIdSchema } from './recorded-run.ts';
import { solverCalls } from './solver-calls.ts';
import { trainerCalls } from './trainer-calls.ts';

/**
 * Everything a face of the lab can ask of its host. One contract, two carriers (Electron's message
 * ports, WebSocket); aborting the call's signal cancels the work behind it.
 */
export const labContract = {
  about: procedure.output(
    z.object({
      version: z.string(),
      carrier: z.enum(['desktop', 'browser', 'test']),
      platform: z.string(),
      logicalCpus: z.number(),
      memoryBytes: z.number(),
    }),
  ),
  ...proceduresOf(solverCalls),
  ...proceduresOf(trainerCalls),
  /** The runs that were kept, newest first, and why they are not where they are not. */
  listRuns: procedure.output(historySchema),
  /** A whole run. */
  openRun: procedure.input(z.object({ id: runIdSchema })).output(recordedRunSchema),
  /** Removed runs can be restored for a day. */
  removeRuns: procedure.input(runIdsSchema).output(z.object({})),
  restoreRuns: procedure.input(runIdsSchema).output(z.object({})),
  /** Gives a run a name or a note. */
  annotateRun: procedure.input(annotateSchema).output(z.object({})),
  /** Runs as the text of a file in the format zigzag-runs/1. */
  exportRuns: procedure.input(runIdsSchema).output(z.object({ text: z.string() })),
  /** Runs from such a file; those that are here already are left as they are. */
  importRuns: procedure.input(importRunsSchema).output(importedRunsSchema),
};

export type LabContract = typeof labContract;
