import { BadInputError } from '../errors.ts';
import type { EmbeddingOp, OpDefinition } from './operation.ts';
import { elementsOf, formatShape, requireCount } from './shape.ts';

/** Looks rows of a table up. Backward adds gradients to the same rows, so it needs the tokens. */
export const embeddingDefinition: OpDefinition<EmbeddingOp> = {
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
  parameters: (op) => requireCount('embedding', 'row', op.count) * op.width,
  keeps: () => ({ inputs: [0], output: false, auxBytes: 0, fixedAuxBytes: 0 }),
  aliasing: () => 'none',
};
