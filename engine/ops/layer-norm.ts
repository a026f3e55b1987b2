import { BadInputError } from '../errors.ts';
import type { OpDefinition } from './definition.ts';
import { elementsOf } from './shape.ts';

/** Over the last axis. */
export interface LayerNormOp {
  readonly kind: 'layer-norm';
  readonly epsilon: number;
}

const BYTES_OF_STATISTIC = 4;
/** Mean, variance, normalise, scale and shift. */
const FORWARD_PER_ELEMENT = 8;

/**
 * Normalises the last axis. Backward needs the input and two float32 numbers a row, its mean and inverse
 * deviation, whatever the element type.
 */
export const layerNormDefinition: OpDefinition<LayerNormOp> = {
  fields: { epsilon: 'positive' },
  autocast: 'float32',
  arity: 1,
  shape(_op, inputs) {
    const shape = inputs[0] ?? [];
    if (shape.length < 2 || shape.length > 3) {
      throw new BadInputError(
        `layer-norm expects an input [N, features] or [N, L, features], got [${shape.join(', ')}]`,
      );
    }
    return shape;
  },
  flops: (_op, _inputs, output) => FORWARD_PER_ELEMENT * elementsOf(output),
  backwardFlops: (_op, _inputs, output) => 2 * FORWARD_PER_ELEMENT * elementsOf(output),
  parameterShapes: (_op, inputs) => [[inputs[0]?.at(-1) ?? 0], [inputs[0]?.at(-1) ?? 0]],
  keeps: (_op, _profile, _inputs, output) => ({
    inputs: [0],
    output: false,
    auxBytes: (2 * BYTES_OF_STATISTIC * elementsOf(output)) / (output.at(-1) ?? 1),
    fixedAuxBytes: 0,
  }),
  aliasing: () => 'none',
};
