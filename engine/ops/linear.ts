import { BadInputError } from '../errors.ts';
import type { LinearOp, OpDefinition, Shape } from './operation.ts';
import { elementsOf, formatShape } from './shape.ts';

/** Fully connected layer on [N, features]. Backward needs the input. */
export const linearDefinition: OpDefinition<LinearOp> = {
  arity: 1,
  shape(op, inputs) {
    const [n, features] = inputs[0] ?? [];
    if (inputs[0]?.length !== 2 || n === undefined || features === undefined) {
      throw new BadInputError(`linear expects an input [N, features], got ${formatShape(inputs[0] ?? [])}`);
    }
    if (!Number.isSafeInteger(op.outFeatures) || op.outFeatures < 1) {
      throw new BadInputError(`linear expects at least 1 output feature, got ${op.outFeatures}`);
    }
    return [n, op.outFeatures];
  },
  flops: (op, inputs, output) => 2 * multiplyAdds(inputs, output) + (op.bias ? elementsOf(output) : 0),
  /** One product for the weight's gradient, one more for the input's. */
  backwardFlops(op, inputs, output, inputGradient) {
    const products = 2 * multiplyAdds(inputs, output);
    return (inputGradient ? 2 : 1) * products + (op.bias ? elementsOf(output) : 0);
  },
  parameters: (op, inputs) => op.outFeatures * ((inputs[0]?.[1] ?? 0) + (op.bias ? 1 : 0)),
  keeps: () => ({ inputs: [0], output: false, auxBytes: 0, fixedAuxBytes: 0 }),
  aliasing: () => 'none',
};

function multiplyAdds(inputs: readonly Shape[], output: Shape): number {
  return elementsOf(output) * (inputs[0]?.[1] ?? 0);
}
