import { BadInputError } from '../errors.ts';
import { KEEPS_NOTHING, type OpDefinition } from './definition.ts';
import { elementsOf } from './shape.ts';
import { requireSameShapes } from './same-shapes.ts';

export interface AddOp {
  readonly kind: 'add';
  /** `a += b`: takes over the storage of the first input where legal. */
  readonly inplace: boolean;
}

/** Element-wise sum of two or more tensors of one shape. Backward passes the gradient on. */
export const addDefinition: OpDefinition<AddOp> = {
  fields: { inplace: 'boolean' },
  autocast: 'widest',
  arity: 'many',
  shape(_op, inputs) {
    if (inputs.length < 2) throw new BadInputError(`add expects at least 2 inputs, got ${inputs.length}`);
    return requireSameShapes('add', inputs);
  },
  flops: (_op, inputs, output) => (inputs.length - 1) * elementsOf(output),
  backwardFlops: () => 0,
  parameterShapes: () => [],
  keeps: () => KEEPS_NOTHING,
  aliasing: (op, profile) => (op.inplace && profile !== 'tfjs' ? 'inplace' : 'none'),
};
