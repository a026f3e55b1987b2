import { BadInputError } from '../errors.ts';
import type { OpDefinition, Shape } from './definition.ts';
import { elementsOf, formatShape } from './shape.ts';

/** Over each of `groups` equal groups of channels and all pixels, sample by sample. */
export interface GroupNormOp {
  readonly kind: 'group-norm';
  readonly groups: number;
  readonly epsilon: number;
}

const BYTES_OF_STATISTIC = 4;
/** Mean, variance, normalise, scale and shift. */
const FORWARD_PER_ELEMENT = 8;

/**
 * Normalises an image over each of some equal groups of its channels, sample by sample, so that nothing
 * depends on the batch. Backward needs the input and two float32 numbers a group and sample, its mean and
 * inverse deviation, whatever the element type.
 */
export const groupNormDefinition: OpDefinition<GroupNormOp> = {
  fields: { groups: 'count', epsilon: 'positive' },
  autocast: 'float32',
  arity: 1,
  shape(op, inputs) {
    const shape = inputs[0] ?? [];
    const channels = shape[1] ?? 0;
    if (shape.length !== 4) {
      throw new BadInputError(`group-norm expects an input [N, C, H, W], got ${formatShape(shape)}`);
    }
    if (channels % op.groups !== 0) {
      throw new BadInputError(
        `group-norm expects ${channels} channels to divide into ${op.groups} equal groups`,
      );
    }
    return shape;
  },
  flops: (_op, _inputs, output) => FORWARD_PER_ELEMENT * elementsOf(output),
  backwardFlops: (_op, _inputs, output) => 2 * FORWARD_PER_ELEMENT * elementsOf(output),
  parameterShapes: (_op, inputs) => [[channelsOf(inputs)], [channelsOf(inputs)]],
  keeps: (op, _profile, _inputs, output) => ({
    inputs: [0],
    output: false,
    auxBytes: 2 * BYTES_OF_STATISTIC * (output[0] ?? 1) * op.groups,
    fixedAuxBytes: 0,
  }),
  aliasing: () => 'none',
};

function channelsOf(inputs: readonly Shape[]): number {
  return inputs[0]?.[1] ?? 0;
}
