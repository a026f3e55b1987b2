import { BadInputError } from '../errors.ts';
import type { OpDefinition } from './definition.ts';
import { elementsOf, formatShape, requireCount } from './shape.ts';

/** A row of a trained table for every token: [N, L] to [N, L, width]. */
export interface EmbeddingOp {
  readonly kind: 'embedding';
  /** Rows of the table: every token is below. */
  readonly count: number;
  readonly width: number;
}

/** Looks rows of a table up. Backward adds gradients to the same rows, so it needs the tokens. */
export const embeddingDefinition: OpDefinition<EmbeddingOp> = {
  fields: { count: 'count', width: 'count' },
  autocast: 'own',
  arity: 1,
  shape(op, inputs) {
    const shape = inputs[0] ?? [];
    if (shape.length !== 2) {
      throw new BadInputError(`embedding expects tokens [N, L], got ${formatShape(shape)}`);
    }
    return [...shape, requireCount('embedding', 'column', op.width)];
  },
  flops: (_op, _inputs, output) => elementsOf(output),
  backwardFlops: (_op, _inputs, output) => 2 * elementsOf(output),
  parameterShapes: (op) => [[requireCount('embedding', 'row', op.count), op.width]],
  keeps: () => ({ inputs: [0], output: false, auxBytes: 0, fixedAuxBytes: 0 }),
  aliasing: () => 'none',
};
