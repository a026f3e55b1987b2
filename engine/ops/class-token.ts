import { KEEPS_NOTHING, type OpDefinition } from './definition.ts';
import { elementsOf, sequenceInput } from './shape.ts';

/** A trained vector before every sequence: [N, L, features] to [N, L+1, features]. */
export interface ClassTokenOp {
  readonly kind: 'class-token';
}

/** Puts a trained vector before every sequence. Backward cuts the gradient and keeps nothing. */
export const classTokenDefinition: OpDefinition<ClassTokenOp> = {
  fields: {},
  autocast: 'parameter',
  arity: 1,
  shape(_op, inputs) {
    const [n, length, width] = sequenceInput('class-token', inputs);
    return [n, length + 1, width];
  },
  flops: (_op, _inputs, output) => elementsOf(output),
  backwardFlops: (_op, _inputs, output) => 2 * elementsOf(output),
  parameterShapes: (_op, inputs) => [[1, 1, inputs[0]?.[2] ?? 0]],
  keeps: () => KEEPS_NOTHING,
  aliasing: () => 'none',
};
