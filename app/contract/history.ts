import { z } from 'zod';
import { MAX_NAME, MAX_NOTE, recordedRunSchema, runHeadSchema, runIdSchema, whole } from './recorded-run.ts';
import { derivedSchema } from './run-summary.ts';

/** What one file of runs may have on its way to or from the lab. */
export const MAX_RUNS_FILE_BYTES = 64 * 1024 * 1024;
export const TOO_MANY_RUNS =
  'the file is larger than the 64 MiB that the lab takes; save fewer runs at a time';
/** And as many as a history keeps. */
export const MAX_FILE_RUNS = 1000;

/** Where a run was started, or that it came with a file. */
export const runSourceSchema = z.enum(['lab', 'command line', 'file']);

/** One line of the history. */
export const runSummarySchema = z.object({
  /** How people call it: counts up and is never used again. */
  number: whole,
  source: runSourceSchema,
  ...runHeadSchema.shape,
  ...derivedSchema.shape,
});

/** `zigzag-runs/1`: runs as a file. */
export const runsFileSchema = z.object({
  format: z.literal('zigzag-runs'),
  version: z.literal(1),
  runs: z.array(recordedRunSchema).max(MAX_FILE_RUNS),
});

export const historySchema = z.object({
  /** Newest first. */
  runs: z.array(runSummarySchema),
  /** Where they are kept. */
  folder: z.string(),
  /** Why runs are not kept just now, in one sentence; null when they are. */
  problem: z.string().nullable(),
  /** What happened to the history when it was opened, in one sentence. */
  notice: z.string().nullable(),
});

export const runIdsSchema = z.object({ ids: z.array(runIdSchema).min(1).max(10_000) });

export const annotateSchema = z.object({
  id: runIdSchema,
  name: z.string().trim().max(MAX_NAME).optional(),
  note: z.string().trim().max(MAX_NOTE).optional(),
});

/** A blob, because both carriers carry its bytes as they are. */
export const importRunsSchema = z.object({ bytes: z.instanceof(Blob) });

export const importedRunsSchema = z.object({
  /** Runs of the file that are new here. */
  added: z.array(runIdSchema),
  /** Runs that the history had already, and left as they were. */
  known: z.array(runIdSchema),
});

export type RunSource = z.infer<typeof runSourceSchema>;
export type RunSummary = z.infer<typeof runSummarySchema>;
export type History = z.infer<typeof historySchema>;
export type Annotation = z.infer<typeof annotateSchema>;
export type ImportedRuns = z.infer<typeof importedRunsSchema>;
