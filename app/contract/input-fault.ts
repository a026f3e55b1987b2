import { z } from 'zod';

/** Fault of an input: its path, and one sentence with the expected and the actual value. */
export interface InputFault {
  /** `batch`, `strategies[2]`; empty when the input as a whole is wrong. */
  readonly path: string;
  readonly message: string;
}

/** The part of a validation issue that is read here; zod's own and the standard-schema form both fit. */
export interface InputIssue {
  readonly message?: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  /** Expectation of a check of our own. */
  readonly params?: { readonly expected?: string } | undefined;
}

const LONGEST_SHOWN = 40;

/**
 * The first fault of an input, as one sentence: `batch: expected a whole number from 1 to 65536, got 0`.
 * The schema says what was expected, so a changed limit changes the sentence with it.
 */
export function inputFault(schema: unknown, issues: readonly InputIssue[], input: unknown): InputFault {
  const keys = (issues[0]?.path ?? []).map((part) => (typeof part === 'object' ? part.key : part));
  let expected: unknown = unwrap(schema);
  let value = input;
  for (const key of keys) {
    expected = unwrap(childOf(expected, key));
    value = valueAt(value, key);
  }
  const path = pathText(keys);
  const issue = issues[0];
  const own = issue?.params?.expected;
  // Faults that only our own checks find carry a sentence, or the expected value.
  if (own === undefined && issue !== undefined && 'code' in issue && issue.code === 'custom') {
    return { path, message: issue.message ?? '' };
  }
  const sentence = `expected ${own ?? describe(expected)}, got ${show(value)}`;
  return { path, message: path === '' ? `the request: ${sentence}` : `${path}: ${sentence}` };
}

function pathText(keys: readonly PropertyKey[]): string {
  return keys.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? String(key) : `${text}.${String(key)}`;
  }, '');
}

function valueAt(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<PropertyKey, unknown>)[key]
    : undefined;
}

function childOf(schema: unknown, key: PropertyKey): unknown {
  if (schema instanceof z.ZodObject) return schema.shape[String(key)];
  if (schema instanceof z.ZodArray) return schema.element;
  return undefined;
}

function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return unwrap(schema.unwrap());
  }
  if (schema instanceof z.ZodPipe) return unwrap(schema.in);
  return schema instanceof z.ZodUnion ? unwrap(schema.options[0]) : schema;
}

function describe(schema: unknown): string {
  if (schema instanceof z.ZodNumber) return describeNumber(schema);
  if (schema instanceof z.ZodEnum) return `one of ${schema.options.join(', ')}`;
  if (schema instanceof z.ZodString)
    return `a text of ${schema.minLength ?? 0} to ${schema.maxLength} characters`;
  if (schema instanceof z.ZodArray) {
    const { minimum, maximum } = limitsOf(schema);
    return maximum === undefined
      ? `a list of at least ${minimum ?? 0}`
      : `a list of ${minimum ?? 0} to ${maximum}`;
  }
  return 'an object';
}

function describeNumber(schema: z.ZodNumber): string {
  const { above } = limitsOf(schema);
  const kind = schema.isInt ? 'a whole number' : 'a number';
  const most = schema.maxValue === Number.MAX_SAFE_INTEGER ? null : schema.maxValue;
  if (above !== undefined) {
    return most === null ? `${kind} above ${above}` : `${kind} above ${above}, at most ${most}`;
  }
  return most === null
    ? `${kind}, at least ${schema.minValue}`
    : `${kind} from ${schema.minValue} to ${most}`;
}

interface Limits {
  readonly minimum?: number;
  readonly maximum?: number;
  /** An exclusive lower bound. */
  readonly above?: number;
}

/** The checks of a schema as plain figures; zod has accessors for some of them only. */
function limitsOf(schema: z.ZodNumber | z.ZodArray): Limits {
  let limits: Limits = {};
  for (const { _zod } of schema.def.checks ?? []) {
    const check: object = _zod.def;
    if ('minimum' in check) limits = { ...limits, minimum: Number(check.minimum) };
    if ('maximum' in check) limits = { ...limits, maximum: Number(check.maximum) };
    if ('inclusive' in check && 'value' in check && _zod.def.check === 'greater_than' && !check.inclusive) {
      limits = { ...limits, above: Number(check.value) };
    }
  }
  return limits;
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number') return String(value);
  // JSON has none, so that writing one throws; what carries calls has.
  if (typeof value === 'bigint') return shortened(`${value}n`);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  const text =
    typeof value === 'object' && value !== null ? 'an object' : (JSON.stringify(value) ?? typeof value);
  return shortened(text);
}

function shortened(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
