import { BadInputError } from '../errors.ts';
import type { OpDefinition, Shape } from './definition.ts';
import { elementsOf, formatShape, requireCount } from './shape.ts';

export interface LinearOp {
  readonly kind: 'linear';
  readonly outFeatures: number;
  readonly bias: boolean;
}

/** Fully connected layer over the last axis of [N, features] or [N, L, features]. Backward needs the input. */
export const linearDefinition: OpDefinition<LinearOp> = {
  fields: { outFeatures: 'count', bias: 'boolean' },
  autocast: 'half',
  arity: 1,
  shape(op, inputs) {
    const shape = inputs[0] ?? [];
    // The last axis of an image, [N, C, H, W], is no features.
    if (shape.length < 2 || shape.length > 3) {
      throw new BadInputError(
        `linear expects an input [N, features] or [N, L, features], got ${formatShape(shape)}`,
      );
    }
    return [...shape.slice(0, -1), requireCount('linear', 'output feature', op.outFeatures)];
  },
  flops: (op, inputs, output) => 2 * multiplyAdds(inputs, output) + (op.bias ? elementsOf(output) : 0),
  /** One product for the weight's gradient, one more for the input's. */
  backwardFlops(op, inputs, output, inputGradient) {
    const products = 2 * multiplyAdds(inputs, output);
    return (inputGradient ? 2 : 1) * products + (op.bias ? elementsOf(output) : 0);
  },
  parameterShapes: (op, inputs) => [
    [op.outFeatures, inputs[0]?.at(-1) ?? 0],
    ...(op.bias ? [[op.outFeatures]] : []),
  ],
  keeps: () => ({ inputs: [0], output: false, auxBytes: 0, fixedAuxBytes: 0 }),
  aliasing: () => 'none',
};

function multiplyAdds(inputs: readonly Shape[], output: Shape): number {
  return elementsOf(output) * (inputs[0]?.at(-1) ?? 0);
}
