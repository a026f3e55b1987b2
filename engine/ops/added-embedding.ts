import { BadInputError } from '../errors.ts';
import { type AddedEmbeddingOp, KEEPS_NOTHING, type OpDefinition } from './operation.ts';
import { elementsOf, requireCount, sequenceInput } from './shape.ts';

/** Adds what was trained for positions or segments to a sequence. The gradient passes on. */
export const addedEmbeddingDefinition: OpDefinition<AddedEmbeddingOp> = {
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
  parameters: (op, inputs) => op.count * (inputs[0]?.[2] ?? 0),
  keeps: () => KEEPS_NOTHING,
  aliasing: () => 'none',
};
