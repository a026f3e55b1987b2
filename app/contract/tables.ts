import { z } from 'zod';
import { DIFFERENCE_CAUSES, DIFFERENCE_COLUMNS } from '../../engine/tables/causes.ts';
import { TABLE_NAMES } from '../../engine/tables/table.ts';

/** One of the papers' tables. */
export const tableNameSchema = z.enum(TABLE_NAMES);
export const tableRequestSchema = z.object({ name: tableNameSchema });

export const tableColumnSchema = z.object({
  key: z.string(),
  title: z.string(),
  /** Whose number it is: as printed, computed here, or what follows from both. */
  from: z.enum(['paper', 'ours', 'both']),
  digits: z.number().int(),
});

export const tableHeadSchema = z.object({
  name: tableNameSchema,
  title: z.string(),
  citation: z.string(),
  notes: z.array(z.string()),
  columns: z.array(tableColumnSchema),
});

const ofColumn = { column: z.enum(DIFFERENCE_COLUMNS), megabytes: z.number() };

/** Why figures differ (engine/tables/causes.ts). */
const causeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(DIFFERENCE_CAUSES), ...ofColumn }),
  z.object({ kind: z.literal('unexplained'), ...ofColumn, percent: z.number() }),
  z.object({ kind: z.literal('unexplained-time'), points: z.number() }),
  z.object({ kind: z.literal('own-design') }),
  z.object({ kind: z.literal('unexplained-cutoff'), points: z.number() }),
]);

/** Keyed by a column's key; null = not applicable or not measured. */
export const tableRowSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.null(), z.array(causeSchema).readonly()]),
);

/** One `head` with the networks of all rows, then each `row` as it is solved, in order. */
export const tableEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('head'), head: tableHeadSchema, networks: z.array(z.string()) }),
  z.object({ type: z.literal('row'), index: z.number().int(), row: tableRowSchema }),
]);

export type TableRequest = z.infer<typeof tableRequestSchema>;
export type TableEvent = z.infer<typeof tableEventSchema>;
