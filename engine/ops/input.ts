import { InternalError } from '../errors.ts';
import { type InputOp, KEEPS_NOTHING, type OpDefinition } from './operation.ts';

/** The batch. Its shape is given, not inferred, and nothing is computed. */
export const inputDefinition: OpDefinition<InputOp> = {
  arity: 0,
  shape: () => {
    throw new InternalError('the shape of an input is given, not inferred');
  },
  flops: () => 0,
  backwardFlops: () => 0,
  parameters: () => 0,
  keeps: () => KEEPS_NOTHING,
  aliasing: () => 'none',
};
