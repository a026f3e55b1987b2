import type { MultiplyOp, OpDefinition } from './operation.ts';
import { requireSameShapes } from './same-shapes.ts';
import { elementsOf } from './shape.ts';

/** Element-wise product of two tensors of one shape. The gradient of each needs the other. */
export const multiplyDefinition: OpDefinition<MultiplyOp> = {
  arity: 2,
  shape: (_op, inputs) => requireSameShapes('multiply', inputs),
  flops: (_op, _inputs, output) => elementsOf(output),
  backwardFlops: (_op, _inputs, output) => 2 * elementsOf(output),
  parameters: () => 0,
  keeps: () => ({ inputs: [0, 1], output: false, auxBytes: 0, fixedAuxBytes: 0 }),
  aliasing: () => 'none',
};
