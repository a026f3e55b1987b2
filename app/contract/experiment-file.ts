import { z } from 'zod';
import { BadInputError } from '../../engine/errors.ts';
import { experimentSchema } from './experiment.ts';
import { inputFault } from './input-fault.ts';

const FORMAT = 'zigzag-experiment';
const VERSION = 1;

/** zigzag-experiment/1: a view of the lab as a file, as the link says it. */
export const experimentFileSchema = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  screen: z.string().min(1).max(40).default('compare'),
  /** The strategy in front. */
  selected: z.string().min(1).max(40).nullable().default(null),
  /** Settings of the screen, under its own names. */
  view: z.record(z.string().max(40), z.string().max(200)).default({}),
  experiment: experimentSchema,
});

export type ExperimentFile = z.infer<typeof experimentFileSchema>;

export function writeExperimentFile(file: Omit<ExperimentFile, 'format' | 'version'>): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, ...file }, null, 2)}\n`;
}

/** True when a file declares this format in its first characters. */
export function isExperimentFile(start: string): boolean {
  return new RegExp(`^\\s*\\{\\s*"format"\\s*:\\s*"${FORMAT}"`).test(start);
}

/** @throws BadInputError in one sentence, with the place of the fault */
export function readExperimentFile(text: string): ExperimentFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadInputError('the experiment file is not valid JSON; save it again from the lab');
  }
  const version =
    typeof value === 'object' && value !== null && 'version' in value ? value.version : undefined;
  if (version !== VERSION) {
    throw new BadInputError(
      `this lab reads ${FORMAT}/${VERSION}, and the file is ${FORMAT}/${String(version)}`,
    );
  }
  const read = experimentFileSchema.safeParse(value);
  if (read.success) return read.data;
  const { message } = inputFault(experimentFileSchema, read.error.issues, value);
  throw new BadInputError(`the experiment file: ${message}`);
}
