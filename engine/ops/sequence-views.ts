import { BadInputError } from '../errors.ts';
import { NO_WORK } from './no-work.ts';
import type { OpDefinition } from './definition.ts';
import { elementsOf, formatShape, imageInput, requireCount, sequenceInput } from './shape.ts';

/** [N, C, H, W] to [N, H*W, C]: the places of an image as a sequence. */
export interface PatchesOp {
  readonly kind: 'patches';
}

/** The first place of every sequence: [N, L, features] to [N, features]. */
export interface FirstOp {
  readonly kind: 'first';
}

/** One of several equal parts of the last axis. */
export interface SplitOp {
  readonly kind: 'split';
  readonly parts: number;
  /** Index of the part, from 0. */
  readonly part: number;
}

/** [N, L, heads*each] to [N, heads, L, each]; a view. */
export interface SplitHeadsOp {
  readonly kind: 'split-heads';
  readonly heads: number;
}

/** The opposite: [N, heads, L, each] to [N, L, heads*each]. */
export interface MergeHeadsOp {
  readonly kind: 'merge-heads';
  /** True if PyTorch copies: after a product of its own, not after fused attention. */
  readonly copies: boolean;
}

export const patchesDefinition: OpDefinition<PatchesOp> = {
  fields: {},
  autocast: 'own',
  ...NO_WORK,
  shape(_op, inputs) {
    const [n, c, h, w] = imageInput('patches', inputs);
    return [n, h * w, c];
  },
  aliasing: () => 'view',
};

/** A view in PyTorch; TensorFlow.js copies slices. */
export const firstDefinition: OpDefinition<FirstOp> = {
  fields: {},
  autocast: 'own',
  ...NO_WORK,
  shape(_op, inputs) {
    const [n, , width] = sequenceInput('first', inputs);
    return [n, width];
  },
  aliasing: (_op, profile) => (profile === 'tfjs' ? 'none' : 'view'),
};

/** A view in PyTorch; TensorFlow.js copies slices. */
export const splitDefinition: OpDefinition<SplitOp> = {
  fields: { parts: 'count', part: 'index' },
  autocast: 'own',
  ...NO_WORK,
  shape(op, inputs) {
    const [n, length, width] = sequenceInput('split', inputs);
    const parts = requireCount('split', 'part', op.parts);
    if (width % parts !== 0 || !Number.isSafeInteger(op.part) || op.part < 0 || op.part >= parts) {
      throw new BadInputError(
        `split cannot take part ${op.part} of ${parts} of ${formatShape([n, length, width])}`,
      );
    }
    return [n, length, width / parts];
  },
  aliasing: (_op, profile) => (profile === 'tfjs' ? 'none' : 'view'),
};

export const splitHeadsDefinition: OpDefinition<SplitHeadsOp> = {
  fields: { heads: 'count' },
  autocast: 'own',
  ...NO_WORK,
  shape(op, inputs) {
    const [n, length, width] = sequenceInput('split-heads', inputs);
    const heads = requireCount('split-heads', 'head', op.heads);
    if (width % heads !== 0) {
      throw new BadInputError(
        `split-heads cannot divide ${formatShape([n, length, width])} among ${heads} heads`,
      );
    }
    return [n, heads, length, width / heads];
  },
  aliasing: () => 'view',
};

/** In `tfjs` always a view: the executor holds heads beside each other (main/trainer/layout.ts). */
export const mergeHeadsDefinition: OpDefinition<MergeHeadsOp> = {
  fields: { copies: 'boolean' },
  autocast: 'own',
  ...NO_WORK,
  shape(_op, inputs) {
    const shape = inputs[0] ?? [];
    const [n = 1, heads = 1, length = 1, each = 1] = shape;
    if (shape.length !== 4) {
      throw new BadInputError(`merge-heads expects an input [N, heads, L, each], got ${formatShape(shape)}`);
    }
    return [n, length, heads * each];
  },
  flops: (op, _inputs, output) => (op.copies ? elementsOf(output) : 0),
  backwardFlops: (op, _inputs, output) => (op.copies ? 2 * elementsOf(output) : 0),
  aliasing: (op, profile) => (op.copies && profile !== 'tfjs' ? 'none' : 'view'),
};
