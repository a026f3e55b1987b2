import { BadInputError } from '../errors.ts';
import type { Field } from '../ops/definition.ts';
import { fieldsOf, type Operation, type OperationKind } from '../ops/operation.ts';

const EXPECTED: Readonly<Record<Field, string>> = {
  count: 'a positive integer',
  index: 'a non-negative integer',
  'positive-pair': 'two positive integers',
  padding: 'four non-negative integers',
  boolean: 'true or false',
  rate: 'a number from 0 to below 1',
  share: 'a number from 0 to 1',
  positive: 'a positive number',
  text: 'a text that is not empty',
};

/** True if a file's `op` is one of ours, so that its fields are read. */
export function isKnownOperation(name: string): name is Exclude<OperationKind, 'opaque'> {
  return fieldsOf(name) !== null;
}

/** The fields of an operation, for a file. */
export function operationAttributes(op: Operation): Readonly<Record<string, unknown>> {
  const { kind: _kind, ...attributes } = op;
  return attributes;
}

/**
 * An operation from its name and fields in a file.
 * @throws BadInputError with the path of the field at fault
 */
export function readOperation(
  kind: Exclude<OperationKind, 'opaque'>,
  attributes: Readonly<Record<string, unknown>>,
  path: string,
): Operation {
  const read: Record<string, unknown> = { kind };
  for (const [name, field] of Object.entries(fieldsOf(kind) ?? {})) {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    if (!fits(value, field)) {
      throw new BadInputError(
        `expected ${EXPECTED[field]}, got ${shown(value)}`,
        path === '' ? name : `${path}.${name}`,
      );
    }
    // A negative zero is a zero, in a file too.
    read[name] = value === 0 ? 0 : value;
  }
  // Every field of the kind has been checked.
  return read as unknown as Operation;
}

function fits(value: unknown, field: Field): boolean {
  const whole = (least: number) => (x: unknown) => Number.isSafeInteger(x) && (x as number) >= least;
  switch (field) {
    case 'count':
      return whole(1)(value);
    case 'index':
      return whole(0)(value);
    case 'positive-pair':
      return Array.isArray(value) && value.length === 2 && value.every(whole(1));
    case 'padding':
      return Array.isArray(value) && value.length === 4 && value.every(whole(0));
    case 'boolean':
      return typeof value === 'boolean';
    case 'rate':
      return typeof value === 'number' && value >= 0 && value < 1;
    case 'share':
      return typeof value === 'number' && value >= 0 && value <= 1;
    case 'positive':
      return typeof value === 'number' && value > 0 && Number.isFinite(value);
    case 'text':
      return typeof value === 'string' && value !== '';
  }
}

/** A short rendering of whatever a file held, for a sentence. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
