import { BadInputError } from '../errors.ts';
import { KEEPS_NOTHING, type OpDefinition } from './definition.ts';
import { elementsOf } from './shape.ts';

export interface DropoutOp {
  readonly kind: 'dropout';
  /** Probability of zeroing, in [0, 1). At 0 the operation is the identity and keeps nothing. */
  readonly rate: number;
}

/**
 * Dropout. At rate 0 the identity: a view, as in PyTorch. Otherwise PyTorch's fused kernel keeps a mask
 * of one byte per element; the `tfjs` executor keeps none, because it replays the mask from a seed.
 */
export const dropoutDefinition: OpDefinition<DropoutOp> = {
  fields: { rate: 'rate' },
  autocast: 'own',
  arity: 1,
  shape(op, inputs) {
    if (!(op.rate >= 0 && op.rate < 1)) {
      throw new BadInputError(`dropout expects a rate in [0, 1), got ${op.rate}`);
    }
    return inputs[0] ?? [];
  },
  /** Multiply by the mask and by the scale. */
  flops: (op, _inputs, output) => (op.rate > 0 ? 2 * elementsOf(output) : 0),
  backwardFlops: (op, _inputs, output, inputGradient) =>
    op.rate > 0 && inputGradient ? 2 * elementsOf(output) : 0,
  parameterShapes: () => [],
  keeps(op, profile, _inputs, output) {
    if (op.rate === 0 || profile === 'tfjs') return KEEPS_NOTHING;
    return { inputs: [], output: false, auxBytes: elementsOf(output), fixedAuxBytes: 0 };
  },
  aliasing: (op) => (op.rate === 0 ? 'view' : 'none'),
};
