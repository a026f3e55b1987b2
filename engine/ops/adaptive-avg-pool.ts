import { BadInputError } from '../errors.ts';
import { KEEPS_NOTHING, type OpDefinition, type Pair } from './definition.ts';
import { elementsOf, imageInput } from './shape.ts';

export interface AdaptiveAvgPoolOp {
  readonly kind: 'adaptive-avg-pool';
  readonly output: Pair;
}

/**
 * Average pool to a given height and width, whatever the input's. Under the `pytorch` profile it keeps
 * its input, to 1x1 as well (see pool.ts). (1x1 is a mean
 * there, which PyTorch 1.13 saves the input of just to know its size. Inception-v3 at 300x300, batch 32:
 * 3014 MiB recorded, 2998 MiB without the input of its global pool.)
 */
export const adaptiveAvgPoolDefinition: OpDefinition<AdaptiveAvgPoolOp> = {
  fields: { output: 'positive-pair' },
  autocast: 'own',
  arity: 1,
  shape(op, inputs) {
    const [n, c] = imageInput('adaptive-avg-pool', inputs);
    const [height, width] = op.output;
    if (![height, width].every((extent) => Number.isSafeInteger(extent) && extent >= 1)) {
      throw new BadInputError(`adaptive-avg-pool expects an output of at least 1x1, got ${height}x${width}`);
    }
    return [n, c, height, width];
  },
  /** Every input element is added to (about) one output element. */
  flops: (_op, inputs, output) => Math.max(elementsOf(inputs[0] ?? []), elementsOf(output)),
  backwardFlops: (_op, inputs, output, inputGradient) =>
    inputGradient ? Math.max(elementsOf(inputs[0] ?? []), elementsOf(output)) : 0,
  parameterShapes: () => [],
  keeps: (_op, profile) =>
    profile === 'tfjs' ? KEEPS_NOTHING : { inputs: [0], output: false, auxBytes: 0, fixedAuxBytes: 0 },
  aliasing: () => 'none',
};
