import { KEEPS_NOTHING, type OpDefinition, type Padding, type Pair } from './definition.ts';
import { elementsOf, imageInput, slide } from './shape.ts';

export interface PoolOp {
  readonly kind: 'max-pool' | 'avg-pool';
  readonly kernel: Pair;
  readonly stride: Pair;
  readonly padding: Padding;
  readonly ceilMode: boolean;
  /** Average pools only: whether padding counts in the divisor (PyTorch's default is true). */
  readonly countIncludePad: boolean;
}

export const BYTES_OF_INDEX = 8;

/**
 * Max and average pools.
 *
 * Average pools keep their input under the `pytorch` profiles: PyTorch saves it (the formula of
 * `avg_pool2d_backward` takes `self`), and the bytes show it. DenseNet-121
 * at 224x224, batch 32, as the recorded fact extrapolates it from batch 2: 3983 MiB with the inputs of
 * its transition pools, 3898 MiB without.
 */
export const poolDefinition: OpDefinition<PoolOp> = {
  fields: {
    kernel: 'positive-pair',
    stride: 'positive-pair',
    padding: 'padding',
    ceilMode: 'boolean',
    countIncludePad: 'boolean',
  },
  autocast: 'own',
  arity: 1,
  shape(op, inputs) {
    const [n, c, h, w] = imageInput(op.kind, inputs);
    const [height, width] = slide(op.kind, { ...op, dilation: [1, 1] }, h, w);
    return [n, c, height, width];
  },
  /** A comparison or an addition for each element of each window. */
  flops: (op, _inputs, output) => elementsOf(output) * op.kernel[0] * op.kernel[1],
  /** A maximum passes its gradient to one element, a mean to the whole window. */
  backwardFlops(op, _inputs, output, inputGradient) {
    if (!inputGradient) return 0;
    return elementsOf(output) * (op.kind === 'max-pool' ? 1 : op.kernel[0] * op.kernel[1]);
  },
  parameterShapes: () => [],
  keeps(op, profile, _inputs, output) {
    if (op.kind === 'max-pool') {
      if (profile === 'tfjs') return { inputs: [0], output: true, auxBytes: 0, fixedAuxBytes: 0 };
      return {
        inputs: [0],
        output: false,
        auxBytes: BYTES_OF_INDEX * elementsOf(output),
        fixedAuxBytes: 0,
      };
    }
    if (profile === 'tfjs') return KEEPS_NOTHING;
    return { inputs: [0], output: false, auxBytes: 0, fixedAuxBytes: 0 };
  },
  aliasing: () => 'none',
};
