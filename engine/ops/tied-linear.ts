import type { OpDefinition } from './definition.ts';
import { elementsOf, requireCount, sequenceInput } from './shape.ts';

/** A product with the table of an embedding: a head that shares its weight, and has no parameters of its own. */
export interface TiedLinearOp {
  readonly kind: 'tied-linear';
  /** Id of the embedding, an earlier vertex. */
  readonly table: string;
  /** The embedding's `count`. */
  readonly outFeatures: number;
}

/**
 * [N, L, features] times the transposed table of an embedding, [outFeatures, features]. The parameters
 * are the embedding's. Backward needs the input.
 */
export const tiedLinearDefinition: OpDefinition<TiedLinearOp> = {
  fields: { table: 'text', outFeatures: 'count' },
  autocast: 'half',
  arity: 1,
  shape(op, inputs) {
    const [n, length] = sequenceInput('tied-linear', inputs);
    return [n, length, requireCount('tied-linear', 'output feature', op.outFeatures)];
  },
  flops: (_op, inputs, output) => 2 * elementsOf(output) * (inputs[0]?.at(-1) ?? 0),
  backwardFlops: (_op, inputs, output) => 4 * elementsOf(output) * (inputs[0]?.at(-1) ?? 0),
  parameterShapes: () => [],
  keeps: () => ({ inputs: [0], output: false, auxBytes: 0, fixedAuxBytes: 0 }),
  aliasing: () => 'none',
};
