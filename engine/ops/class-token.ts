import { type ClassTokenOp, KEEPS_NOTHING, type OpDefinition } from './operation.ts';
import { elementsOf, sequenceInput } from './shape.ts';

/** Puts a trained vector before every sequence. Backward cuts the gradient and keeps nothing. */
export const classTokenDefinition: OpDefinition<ClassTokenOp> = {
  arity: 1,
  shape(_op, inputs) {
    const [n, length, width] = sequenceInput('class-token', inputs);
    return [n, length + 1, width];
  },
  flops: (_op, _inputs, output) => elementsOf(output),
  backwardFlops: (_op, _inputs, output) => 2 * elementsOf(output),
  parameters: (_op, inputs) => inputs[0]?.[2] ?? 0,
  keeps: () => KEEPS_NOTHING,
  aliasing: () => 'none',
};
