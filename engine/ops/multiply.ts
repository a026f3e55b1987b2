import type { OpDefinition } from './definition.ts';
import { requireSameShapes } from './same-shapes.ts';
import { elementsOf } from './shape.ts';

/** Element-wise product; the operation that breaks the second assumption of paper 001, 4.1. */
export interface MultiplyOp {
  readonly kind: 'multiply';
}

/** Element-wise product of two tensors of one shape. The gradient of each needs the other. */
export const multiplyDefinition: OpDefinition<MultiplyOp> = {
  fields: {},
  autocast: 'widest',
  arity: 2,
  shape: (_op, inputs) => requireSameShapes('multiply', inputs),
  flops: (_op, _inputs, output) => elementsOf(output),
  backwardFlops: (_op, _inputs, output) => 2 * elementsOf(output),
  parameterShapes: () => [],
  keeps: () => ({ inputs: [0, 1], output: false, auxBytes: 0, fixedAuxBytes: 0 }),
  aliasing: () => 'none',
};
