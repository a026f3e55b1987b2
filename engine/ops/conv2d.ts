import { BadInputError } from '../errors.ts';
import type { OpDefinition, Padding, Pair, Shape } from './definition.ts';
import { elementsOf, formatShape, imageInput, slide } from './shape.ts';

export interface Conv2dOp {
  readonly kind: 'conv2d';
  readonly outChannels: number;
  readonly kernel: Pair;
  readonly stride: Pair;
  readonly padding: Padding;
  readonly dilation: Pair;
  readonly groups: number;
  readonly bias: boolean;
}

/** Two-dimensional convolution, grouped and dilated ones included. Backward needs the input. */
export const conv2dDefinition: OpDefinition<Conv2dOp> = {
  fields: {
    outChannels: 'count',
    kernel: 'positive-pair',
    stride: 'positive-pair',
    padding: 'padding',
    dilation: 'positive-pair',
    groups: 'count',
    bias: 'boolean',
  },
  autocast: 'half',
  arity: 1,
  shape(op, inputs) {
    const [n, c, h, w] = imageInput('conv2d', inputs);
    const { groups, outChannels } = op;
    if (!isCount(groups) || !isCount(outChannels) || c % groups !== 0 || outChannels % groups !== 0) {
      throw new BadInputError(
        `conv2d cannot split the channels of ${formatShape([n, c, h, w])} and ${outChannels} output channels into ${groups} groups`,
      );
    }
    const [height, width] = slide('conv2d', { ...op, ceilMode: false }, h, w);
    return [n, outChannels, height, width];
  },
  flops(op, inputs, output) {
    return 2 * multiplyAdds(op, inputs, output) + (op.bias ? elementsOf(output) : 0);
  },
  /** One convolution for the weight's gradient, one more for the input's. */
  backwardFlops(op, inputs, output, inputGradient) {
    const products = 2 * multiplyAdds(op, inputs, output);
    return (inputGradient ? 2 : 1) * products + (op.bias ? elementsOf(output) : 0);
  },
  parameterShapes: (op, inputs) => [
    [op.outChannels, (inputs[0]?.[1] ?? 0) / op.groups, ...op.kernel],
    ...(op.bias ? [[op.outChannels]] : []),
  ],
  keeps: () => ({ inputs: [0], output: false, auxBytes: 0, fixedAuxBytes: 0 }),
  aliasing: () => 'none',
};

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}

function weightsPerOutput(op: Conv2dOp, inputs: readonly Shape[]): number {
  return op.kernel[0] * op.kernel[1] * ((inputs[0]?.[1] ?? 0) / op.groups);
}

function multiplyAdds(op: Conv2dOp, inputs: readonly Shape[], output: Shape): number {
  return elementsOf(output) * weightsPerOutput(op, inputs);
}
