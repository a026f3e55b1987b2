import { BadInputError } from '../errors.ts';
import type { OpDefinition, Shape } from './definition.ts';
import { elementsOf, formatShape } from './shape.ts';

export interface BatchNormOp {
  readonly kind: 'batch-norm';
  readonly epsilon: number;
  readonly momentum: number;
}

const BYTES_OF_STATISTIC = 4;
/** Mean 1, variance 3, normalise 2, scale and shift 2. */
const FORWARD_PER_ELEMENT = 8;
/** Gradients of shift 1 and scale 4; of the input 5 more. */
const BACKWARD_PER_ELEMENT = 5;
const BACKWARD_INPUT_PER_ELEMENT = 5;

/**
 * Batch normalisation over [N, C] or [N, C, H, W] in training mode. Backward needs the input and two
 * float32 vectors per channel (mean and inverse deviation; mean and variance in `tfjs`), whatever the
 * element type; they do not grow with the batch.
 */
export const batchNormDefinition: OpDefinition<BatchNormOp> = {
  fields: { epsilon: 'positive', momentum: 'share' },
  autocast: 'own',
  arity: 1,
  shape(_op, inputs) {
    const shape = inputs[0] ?? [];
    if (shape.length !== 2 && shape.length !== 4) {
      throw new BadInputError(
        `batch-norm expects an input [N, C] or [N, C, H, W], got ${formatShape(shape)}`,
      );
    }
    return shape;
  },
  flops: (_op, _inputs, output) => FORWARD_PER_ELEMENT * elementsOf(output),
  backwardFlops: (_op, _inputs, output, inputGradient) =>
    (BACKWARD_PER_ELEMENT + (inputGradient ? BACKWARD_INPUT_PER_ELEMENT : 0)) * elementsOf(output),
  parameterShapes: (_op, inputs) => [[channelsOf(inputs)], [channelsOf(inputs)]],
  keeps: (_op, _profile, inputs) => ({
    inputs: [0],
    output: false,
    auxBytes: 0,
    fixedAuxBytes: 2 * BYTES_OF_STATISTIC * channelsOf(inputs),
  }),
  aliasing: () => 'none',
};

function channelsOf(inputs: readonly Shape[]): number {
  return inputs[0]?.[1] ?? 0;
}
