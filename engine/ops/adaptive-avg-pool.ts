import { BadInputError } from '../errors.ts';
import { type AdaptiveAvgPoolOp, KEEPS_NOTHING, type OpDefinition } from './operation.ts';
import { elementsOf, imageInput } from './shape.ts';

/**
 * Average pool to a given height and width, whatever the input's. To 1x1 PyTorch computes a plain mean,
 * which keeps nothing; to any other size it saves the input, like an average pool (see pool.ts).
 */
export const adaptiveAvgPoolDefinition: OpDefinition<AdaptiveAvgPoolOp> = {
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
  parameters: () => 0,
  keeps(op, profile) {
    if (profile === 'tfjs' || (op.output[0] === 1 && op.output[1] === 1)) return KEEPS_NOTHING;
    return { inputs: [0], output: false, auxBytes: 0, fixedAuxBytes: 0 };
  },
  aliasing: () => 'none',
};
