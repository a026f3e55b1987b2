import type { z } from 'zod';
import { BadInputError } from '../../engine/errors.ts';
import { inputFault } from './input-fault.ts';

interface About {
  readonly format: string;
  readonly version: number;
  /** Plural noun for the content. */
  readonly what: string;
  /** How the file is made. */
  readonly again: string;
}

/**
 * Reads a file of one format and version.
 *
 * @throws BadInputError in one sentence, with the place of the fault
 */
export function readVersioned<Read>(
  text: string,
  schema: z.ZodType<Read>,
  { format, version, what, again }: About,
): Read {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadInputError(`the ${what} are not valid JSON; ${again}`);
  }
  const field = (name: string): unknown =>
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  if (field('format') !== format) throw new BadInputError(`the file is not ${format}/${version}; ${again}`);
  if (field('version') !== version) {
    throw new BadInputError(
      `this lab reads ${format}/${version}, and the file is ${format}/${String(field('version'))}; ${again}`,
    );
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const { path, message } = inputFault(schema, read.error.issues, value);
  // A check of our own says the field, not the row that it is in.
  const row = /^rows\[\d+\]/.exec(path)?.[0];
  const place = row === undefined || message.startsWith('rows[') ? '' : `${row}.`;
  throw new BadInputError(`the ${what}: ${place}${message}`);
}
