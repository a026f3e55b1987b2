import { BadInputError } from '../errors.ts';
import type { Operation, OperationKind } from '../ops/operation.ts';

/** What a field of an operation must hold in a file. */
type Field = 'count' | 'index' | 'positive-pair' | 'padding' | 'boolean' | 'rate' | 'positive' | 'text';

/** The fields of every operation that a file may name; an operation without fields is complete by its name. */
const FIELDS: Readonly<Record<Exclude<OperationKind, 'opaque'>, Readonly<Record<string, Field>>>> = {
  input: {},
  conv2d: {
    outChannels: 'count',
    kernel: 'positive-pair',
    stride: 'positive-pair',
    padding: 'padding',
    dilation: 'positive-pair',
    groups: 'count',
    bias: 'boolean',
  },
  'max-pool': {
    kernel: 'positive-pair',
    stride: 'positive-pair',
    padding: 'padding',
    ceilMode: 'boolean',
    countIncludePad: 'boolean',
  },
  'avg-pool': {
    kernel: 'positive-pair',
    stride: 'positive-pair',
    padding: 'padding',
    ceilMode: 'boolean',
    countIncludePad: 'boolean',
  },
  'adaptive-avg-pool': { output: 'positive-pair' },
  'batch-norm': { epsilon: 'positive', momentum: 'rate' },
  relu: { inplace: 'boolean' },
  add: { inplace: 'boolean' },
  multiply: {},
  concat: {},
  flatten: {},
  linear: { outFeatures: 'count', bias: 'boolean' },
  dropout: { rate: 'rate' },
  identity: {},
  shift: {},
  tokens: {},
  embedding: { count: 'count', width: 'count' },
  'position-embedding': { count: 'count' },
  'segment-embedding': { count: 'count' },
  'tied-linear': { table: 'text', outFeatures: 'count' },
  'layer-norm': { epsilon: 'positive' },
  'group-norm': { groups: 'count', epsilon: 'positive' },
  gelu: { tanh: 'boolean' },
  tanh: {},
  relu6: { inplace: 'boolean' },
  'conv-transpose2d': {
    outChannels: 'count',
    kernel: 'positive-pair',
    stride: 'positive-pair',
    bias: 'boolean',
  },
  patches: {},
  'class-token': {},
  first: {},
  split: { parts: 'count', part: 'index' },
  'split-heads': { heads: 'count' },
  'merge-heads': { copies: 'boolean' },
  'attention-scores': {},
  scale: { divisor: 'positive' },
  'causal-mask': {},
  softmax: {},
  'attention-values': {},
  attention: { causal: 'boolean', rate: 'rate' },
};

const EXPECTED: Readonly<Record<Field, string>> = {
  count: 'a positive integer',
  index: 'a non-negative integer',
  'positive-pair': 'two positive integers',
  padding: 'four non-negative integers',
  boolean: 'true or false',
  rate: 'a number from 0 to below 1',
  positive: 'a positive number',
  text: 'a text that is not empty',
};

/** Whether a file's `op` is one of ours, so that its fields are read. */
export function isKnownOperation(name: string): name is Exclude<OperationKind, 'opaque'> {
  return Object.hasOwn(FIELDS, name);
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
  const fields = FIELDS[kind];
  const read: Record<string, unknown> = { kind };
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    if (!fits(value, field)) {
      throw new BadInputError(`expected ${EXPECTED[field]}, got ${shown(value)}`, `${path}.${name}`);
    }
    read[name] = value;
  }
  // Every field of the kind has been checked against the table above.
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
