import { BadInputError } from '../errors.ts';
import { KEEPS_NOTHING, type OpDefinition } from './definition.ts';
import { elementsOf, requireCount, sequenceInput } from './shape.ts';

/** Adds rows of a trained table: that of each position, or the first everywhere (all of one segment). */
export interface AddedEmbeddingOp {
  readonly kind: 'position-embedding' | 'segment-embedding';
  readonly count: number;
}

/** Adds what was trained for positions or segments to a sequence. The gradient passes on. */
export const addedEmbeddingDefinition: OpDefinition<AddedEmbeddingOp> = {
  fields: { count: 'count' },
  autocast: 'parameter',
  arity: 1,
  shape(op, inputs) {
    const [n, length, width] = sequenceInput(op.kind, inputs);
    const rows = requireCount(op.kind, 'row', op.count);
    if (op.kind === 'position-embedding' && length > rows) {
      throw new BadInputError(`position-embedding has ${rows} positions, and the sequence ${length}`);
    }
    return [n, length, width];
  },
  flops: (_op, _inputs, output) => elementsOf(output),
  backwardFlops: (_op, _inputs, output) => 2 * elementsOf(output),
  parameterShapes: (op, inputs) => [[op.count, inputs[0]?.[2] ?? 0]],
  keeps: () => KEEPS_NOTHING,
  aliasing: () => 'none',
};
