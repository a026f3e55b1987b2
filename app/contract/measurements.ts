import { z } from 'zod';
import { MEASURED_OUTCOMES } from '../../engine/tables/measured.ts';
import { CHECKPOINTINGS } from '../../engine/schedule/checkpointing.ts';
import { CVPR_TABLE_2 } from '../../engine/tables/paper-tables.ts';
import { MEASURED_STRATEGIES } from '../../engine/tables/row-plans.ts';
import { tableColumnSchema, tableRowSchema } from './tables.ts';
import { readVersioned } from './versioned-file.ts';

const FORMAT = 'zigzag-measurements';
const VERSION = 1;
const AGAIN = 'write it with the file of "zigzag export --to reproduce"';

const bytes = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);
const milliseconds = z.number().positive().max(1e9);
const whole = (most: number) => z.number().int().positive().max(most);

const rowSchema = z
  .object({
    network: z.enum(CVPR_TABLE_2.map(({ network }) => network)),
    strategy: z.enum(MEASURED_STRATEGIES),
    seed: z.number().int().nonnegative().nullable(),
    checkpointing: z.enum(CHECKPOINTINGS).nullable(),
    batch: whole(65536),
    input: whole(65536),
    checkpoints: z.array(z.string().max(400)).max(10_000),
    outcome: z.enum(MEASURED_OUTCOMES),
    message: z.string().max(2000).nullable(),
    peakBytes: bytes.nullable(),
    startBytes: bytes.nullable(),
    stepMs: z.object({ median: milliseconds, lower: milliseconds, upper: milliseconds }).nullable(),
    gradientDifference: z.number().nonnegative().nullable(),
  })
  .superRefine((row, context) => {
    const fault = (path: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [path], message: `${path}: ${message}` });
    if (row.outcome === 'ok' && row.stepMs === null) fault('stepMs', 'expected times, as the outcome is ok');
    if (row.outcome === 'ok' && (row.peakBytes === null || row.startBytes === null))
      fault('peakBytes', 'expected bytes before the step and at its peak, as the outcome is ok');
    if (row.peakBytes !== null && row.startBytes !== null && row.peakBytes < row.startBytes)
      fault('peakBytes', `expected at least startBytes, ${row.startBytes}, got ${row.peakBytes}`);
    if ((row.strategy === 'regular') !== (row.checkpointing === null))
      fault('checkpointing', 'expected null for regular, and for no other strategy');
  });

/** zigzag-measurements/1 (SPEC, file formats): what zigzag_reproduce.py measured on a device. */
export const measurementsSchema = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  device: z.string().min(1).max(200),
  torch: z.string().min(1).max(100),
  rows: z.array(rowSchema).max(5000),
});

export type MeasurementsFile = z.infer<typeof measurementsSchema>;

/** Columns that they add to CVPR Table 2, cells by network. */
export const measuredColumnsSchema = z.object({
  device: z.string(),
  columns: z.array(tableColumnSchema).readonly(),
  notes: z.array(z.string()).readonly(),
  cells: z.record(z.string(), tableRowSchema),
});

/** True when a file declares this format in its first characters. */
export function isMeasurementsFile(start: string): boolean {
  return new RegExp(`^\\uFEFF?\\s*\\{\\s*"format"\\s*:\\s*"${FORMAT}"`).test(start);
}

/** @throws BadInputError in one sentence, with the place of the fault */
export function readMeasurements(text: string): MeasurementsFile {
  const about = { format: FORMAT, version: VERSION, what: 'measurements', again: AGAIN };
  return readVersioned(text, measurementsSchema, about);
}
