import { BadInputError } from '../errors.ts';
import { NO_WORK } from './no-work.ts';
import type { OpDefinition } from './definition.ts';
import { elementsOf, formatShape, imageInput } from './shape.ts';

/** [N, ...] to [N, product]; a view. */
export interface FlattenOp {
  readonly kind: 'flatten';
}

/** Passes its input on (a skip connection that the papers draw as a vertex); a view. */
export interface IdentityOp {
  readonly kind: 'identity';
}

/** Drops the first row and column, [N, C, H, W] to [N, C, H-1, W-1]: factorized reduce. A view in PyTorch. */
export interface ShiftOp {
  readonly kind: 'shift';
}

export const flattenDefinition: OpDefinition<FlattenOp> = {
  fields: {},
  autocast: 'own',
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
  fields: {},
  autocast: 'own',
  ...NO_WORK,
  shape: (_op, inputs) => inputs[0] ?? [],
  aliasing: () => 'view',
};

/**
 * `x[:, :, 1:, 1:]`. In PyTorch a view: its reader saves the storage of x. PyTorch 1.5 saves the contiguous copy that a
 * convolution makes of it, and TensorFlow.js copies slices, so there the output is a tensor of its own.
 */
export const shiftDefinition: OpDefinition<ShiftOp> = {
  fields: {},
  autocast: 'own',
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
