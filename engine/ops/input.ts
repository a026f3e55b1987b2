import { InternalError } from '../errors.ts';
import { KEEPS_NOTHING, type OpDefinition } from './definition.ts';

/** The batch, or whatever else enters the graph. Stored throughout a training step. */
export interface InputOp {
  readonly kind: 'input';
}

/** The batch. Its shape is given, not inferred, and nothing is computed. */
export const inputDefinition: OpDefinition<InputOp> = {
  fields: {},
  autocast: 'own',
  arity: 0,
  shape: () => {
    throw new InternalError('the shape of an input is given, not inferred');
  },
  flops: () => 0,
  backwardFlops: () => 0,
  parameterShapes: () => [],
  keeps: () => KEEPS_NOTHING,
  aliasing: () => 'none',
};
