import { z } from 'zod';
import { result } from './calls.ts';
import {
  annotateSchema,
  exportedRunsSchema,
  historySchema,
  importedRunsSchema,
  importRunsSchema,
  runIdsSchema,
} from './history.ts';
import { recordedRunSchema, runIdSchema } from './recorded-run.ts';

/** Everything that is asked of the history of runs. Each is answered in main/history/answers.ts. */
export const historyCalls = {
  /** The runs that were kept, newest first, and why they are not where they are not. */
  listRuns: result(z.void(), historySchema),
  /** A whole run. */
  openRun: result(z.object({ id: runIdSchema }), recordedRunSchema),
  /** Removed runs can be restored for a day. */
  removeRuns: result(runIdsSchema, z.void()),
  restoreRuns: result(runIdsSchema, z.void()),
  /** Gives a run a name or a note. */
  annotateRun: result(annotateSchema, z.void()),
  /** Runs as the text of a file in the format zigzag-runs/1. */
  exportRuns: result(runIdsSchema, exportedRunsSchema),
  /** Runs from such a file, all or none; those that are here already are left as they are. */
  importRuns: result(importRunsSchema, importedRunsSchema),
};

export type HistoryCalls = typeof historyCalls;
