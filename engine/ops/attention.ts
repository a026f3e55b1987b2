import { BadInputError } from '../errors.ts';
import type { OpDefinition, Shape } from './definition.ts';
import { requireSameShapes } from './same-shapes.ts';
import { elementsOf, formatShape } from './shape.ts';

/** Products of every query with every key: [N, heads, L, each] and [N, heads, S, each] to [N, heads, L, S]. */
export interface AttentionScoresOp {
  readonly kind: 'attention-scores';
}

/** Sums of values by probabilities: [N, heads, L, S] and [N, heads, S, each] to [N, heads, L, each]. */
export interface AttentionValuesOp {
  readonly kind: 'attention-values';
}

/** Scores, scale, mask, softmax, dropout and sums of q, k and v, [N, heads, L, each], in one (FlashAttention). */
export interface AttentionOp {
  readonly kind: 'attention';
  readonly causal: boolean;
  /** Dropout rate on the probabilities. */
  readonly rate: number;
}

const BYTES_OF_STATISTIC = 4;

/** The two products of attention, written out. Kept are the factors, among them the probabilities of every pair of positions. */
export const attentionScoresDefinition: OpDefinition<AttentionScoresOp> = {
  fields: {},
  autocast: 'half',
  arity: 2,
  shape(_op, inputs) {
    const [queries = [], keys = []] = inputs;
    const [n = 1, heads = 1, length = 1, each = 1] = queries;
    const seen = keys[2] ?? 1;
    const expected = [n, heads, seen, each];
    if (queries.length === 4 && formatShape(keys) === formatShape(expected)) return [n, heads, length, seen];
    throw new BadInputError(
      `attention-scores expects queries [N, heads, L, each] and keys ${formatShape(expected)}, got ${formatShape(queries)} and ${formatShape(keys)}`,
    );
  },
  flops: (_op, inputs) => productFlops(inputs[0] ?? [], inputs[1] ?? []),
  backwardFlops: (_op, inputs) => 2 * productFlops(inputs[0] ?? [], inputs[1] ?? []),
  parameterShapes: () => [],
  keeps: () => ({ inputs: [0, 1], output: false, auxBytes: 0, fixedAuxBytes: 0 }),
  aliasing: () => 'none',
};

export const attentionValuesDefinition: OpDefinition<AttentionValuesOp> = {
  fields: {},
  autocast: 'half',
  arity: 2,
  shape(_op, inputs) {
    const [pairs = [], values = []] = inputs;
    const [n = 1, heads = 1, seen = 1, each = 1] = headsInput('attention-values', [values]);
    const length = pairs[2] ?? 1;
    const expected = [n, heads, length, seen];
    if (formatShape(pairs) !== formatShape(expected)) {
      throw new BadInputError(
        `attention-values expects probabilities ${formatShape(expected)} of values ${formatShape(values)}, got ${formatShape(pairs)}`,
      );
    }
    return [n, heads, length, each];
  },
  flops: (_op, inputs, output) => productFlops(output, inputs[1] ?? []),
  backwardFlops: (_op, inputs, output) => 2 * productFlops(output, inputs[1] ?? []),
  parameterShapes: () => [],
  keeps: () => ({ inputs: [0, 1], output: false, auxBytes: 0, fixedAuxBytes: 0 }),
  aliasing: () => 'none',
};

/**
 * Both products and all between in one: kept are the inputs, the output and one number a row and head
 * (the logarithm of its sum of exponentials), from which backward computes the probabilities again.
 * Dropout is replayed from a seed.
 */
export const attentionDefinition: OpDefinition<AttentionOp> = {
  fields: { causal: 'boolean', rate: 'rate' },
  autocast: 'half',
  arity: 3,
  shape(op, inputs) {
    if (!(op.rate >= 0 && op.rate < 1)) {
      throw new BadInputError(`attention expects a dropout rate in [0, 1), got ${op.rate}`);
    }
    return headsInput('attention', inputs);
  },
  flops: (_op, [q = []]) => 2 * productFlops(q, q),
  backwardFlops: (_op, [q = []]) => 4 * productFlops(q, q),
  parameterShapes: () => [],
  keeps: (_op, _profile, _inputs, output) => ({
    inputs: [0, 1, 2],
    output: true,
    auxBytes: (BYTES_OF_STATISTIC * elementsOf(output)) / (output[3] ?? 1),
    fixedAuxBytes: 0,
  }),
  aliasing: () => 'none',
};

function headsInput(kind: string, inputs: readonly Shape[]): Shape {
  const shape = requireSameShapes(kind, inputs);
  if (shape.length === 4) return shape;
  throw new BadInputError(`${kind} expects inputs [N, heads, L, each], got ${formatShape(shape)}`);
}

/** A multiply-add for every pair of a query and a key, and every feature. */
function productFlops(queries: Shape, keys: Shape): number {
  return 2 * elementsOf(queries) * (keys[2] ?? 0);
}
