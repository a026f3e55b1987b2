import { BadInputError } from '../errors.ts';
import { KEEPS_NOTHING, type OpDefinition } from './definition.ts';
import { formatShape } from './shape.ts';

/** Along the channel axis. */
export interface ConcatOp {
  readonly kind: 'concat';
}

/** Joins tensors along the channel axis. Backward cuts the gradient and keeps nothing. */
export const concatDefinition: OpDefinition<ConcatOp> = {
  fields: {},
  autocast: 'widest',
  arity: 'many',
  shape(_op, inputs) {
    const [first = []] = inputs;
    if (first.length < 2) {
      throw new BadInputError(`concat expects inputs [N, C, ...], got ${formatShape(first)}`);
    }
    let channels = 0;
    for (const shape of inputs) {
      if (
        shape.length !== first.length ||
        shape.some((extent, axis) => axis !== 1 && extent !== first[axis])
      ) {
        throw new BadInputError(
          `concat expects inputs that differ in their channels only, got ${formatShape(first)} and ${formatShape(shape)}`,
        );
      }
      channels += shape[1] ?? 0;
    }
    return first.map((extent, axis) => (axis === 1 ? channels : extent));
  },
  flops: () => 0,
  backwardFlops: () => 0,
  parameterShapes: () => [],
  keeps: () => KEEPS_NOTHING,
  aliasing: () => 'none',
};
