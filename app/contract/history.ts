import { z } from 'zod';
import { MAX_NAME, MAX_NOTE, recordedRunSchema, runHeadSchema, runIdSchema, whole } from './recorded-run.ts';
import { derivedSchema } from './run-summary.ts';

export const TOO_MANY_RUNS = 'the file is larger than the limit of 64 MiB; save fewer runs at a time';
/** One run of it, which is parsed at once. The longest that can be asked for has a third of it. */
export const MAX_RUN_BYTES = 16 * 1024 * 1024;
/** And as many as a history keeps. */
export const MAX_FILE_RUNS = 1000;

/** Origin of a run: where it was started, or the file it came with. */
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
  folder: z.string(),
  /** Why runs are not kept just now, in one sentence; null when they are. */
  problem: z.string().nullable(),
  /** Events at the opening of the history, and the runs that cannot be read, in sentences. */
  notice: z.string().nullable(),
  /** Runs that went within the last day to make room, the latest first: they can be restored. */
  evicted: z.array(z.object({ id: z.string(), number: whole })),
});

export const runIdsSchema = z.object({ ids: z.array(runIdSchema).min(1).max(10_000) });

export const annotateSchema = z.object({
  id: runIdSchema,
  name: z.string().trim().max(MAX_NAME).optional(),
  note: z.string().trim().max(MAX_NOTE).optional(),
});

/** A blob, because both carriers carry its bytes as they are. */
export const importRunsSchema = z.object({
  bytes: z.instanceof(Blob),
  /** Allows older runs to be removed for it. If they may not and would have to, nothing is saved. */
  makeRoom: z.boolean().default(false),
});

export const importedRunsSchema = z.object({
  /** Runs of the file that are new here. */
  added: z.array(runIdSchema),
  /** Runs that the history had already, and left as they were. */
  known: z.array(runIdSchema),
  /** Older runs that went to make room, or would have to; they can be restored for a day. */
  evicted: z.array(z.string()),
  /** How many runs that were removed before went, or would go, for good. */
  lost: whole,
  /** Nothing was taken, because older runs would have to go for it. */
  needsRoom: z.boolean(),
});

export const exportedRunsSchema = z.object({
  text: z.string(),
  /** Numbers of runs that are damaged, and not in it. */
  leftOut: z.array(whole),
});

export type RunSource = z.infer<typeof runSourceSchema>;
export type RunSummary = z.infer<typeof runSummarySchema>;
export type History = z.infer<typeof historySchema>;
export type Annotation = z.infer<typeof annotateSchema>;
export type ExportedRuns = z.infer<typeof exportedRunsSchema>;
export type ImportedRuns = z.infer<typeof importedRunsSchema>;
