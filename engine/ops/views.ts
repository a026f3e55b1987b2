import { BadInputError } from '../errors.ts';
import { NO_WORK } from './no-work.ts';
import type { FlattenOp, IdentityOp, OpDefinition, ShiftOp } from './operation.ts';
import { elementsOf, formatShape, imageInput } from './shape.ts';

export const flattenDefinition: OpDefinition<FlattenOp> = {
  ...NO_WORK,
  shape(_op, inputs) {
    const shape = inputs[0] ?? [];
    const n = shape[0];
    if (n === undefined || shape.length < 2) {
      throw new BadInputError(`flatten expects an input [N, ...], got ${formatShape(shape)}`);
    }
    return [n, elementsOf(shape) / n];
  },
  aliasing: () => 'view',
};

export const identityDefinition: OpDefinition<IdentityOp> = {
  ...NO_WORK,
  shape: (_op, inputs) => inputs[0] ?? [],
  aliasing: () => 'view',
};

/**
 * `x[:, :, 1:, 1:]`. In PyTorch a view: what reads it saves the storage of x. TensorFlow.js copies
 * slices, so there the output is a tensor of its own.
 */
export const shiftDefinition: OpDefinition<ShiftOp> = {
  ...NO_WORK,
  shape(_op, inputs) {
    const [n, c, h, w] = imageInput('shift', inputs);
    if (h < 2 || w < 2) {
      throw new BadInputError(`shift expects an image of at least 2x2, got ${formatShape([n, c, h, w])}`);
    }
    return [n, c, h - 1, w - 1];
  },
  aliasing: (_op, profile) => (profile === 'pytorch' ? 'view' : 'none'),
};
