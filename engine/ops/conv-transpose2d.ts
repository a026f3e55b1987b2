import type { OpDefinition, Pair, Shape } from './definition.ts';
import { elementsOf, imageInput, requireCount } from './shape.ts';

export interface ConvTranspose2dOp {
  readonly kind: 'conv-transpose2d';
  readonly outChannels: number;
  readonly kernel: Pair;
  readonly stride: Pair;
  readonly bias: boolean;
}

/** The transpose of an unpadded convolution: every input place spreads over a window. Backward needs the input. */
export const convTranspose2dDefinition: OpDefinition<ConvTranspose2dOp> = {
  fields: {
    outChannels: 'count',
    kernel: 'positive-pair',
    stride: 'positive-pair',
    bias: 'boolean',
  },
  autocast: 'half',
  arity: 1,
  shape(op, inputs) {
    const [n, , h, w] = imageInput('conv-transpose2d', inputs);
    for (const extent of [...op.kernel, ...op.stride]) {
      requireCount('conv-transpose2d', 'place of kernel and stride', extent);
    }
    const channels = requireCount('conv-transpose2d', 'output channel', op.outChannels);
    return [n, channels, (h - 1) * op.stride[0] + op.kernel[0], (w - 1) * op.stride[1] + op.kernel[1]];
  },
  flops: (op, inputs) => 2 * elementsOf(inputs[0] ?? []) * weightsPerInput(op),
  backwardFlops: (op, inputs) => 4 * elementsOf(inputs[0] ?? []) * weightsPerInput(op),
  parameterShapes: (op, inputs) => [
    [channelsOf(inputs), op.outChannels, ...op.kernel],
    ...(op.bias ? [[op.outChannels]] : []),
  ],
  keeps: () => ({ inputs: [0], output: false, auxBytes: 0, fixedAuxBytes: 0 }),
  aliasing: () => 'none',
};

function channelsOf(inputs: readonly Shape[]): number {
  return inputs[0]?.[1] ?? 0;
}

function weightsPerInput(op: ConvTranspose2dOp): number {
  return op.outChannels * op.kernel[0] * op.kernel[1];
}
