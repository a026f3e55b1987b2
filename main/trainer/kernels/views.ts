import * as tf from '@tensorflow/tfjs-core';
import type { MergeHeadsOp, PatchesOp, SplitHeadsOp } from '../../../engine/ops/sequence-views.ts';
import type { FlattenOp, IdentityOp } from '../../../engine/ops/views.ts';
import { executionShape } from '../layout.ts';
import { copyOf, type Kernel, kept, NO_PARAMETERS } from './kernel.ts';

type ViewOp = FlattenOp | IdentityOp | PatchesOp | SplitHeadsOp | MergeHeadsOp;

/**
 * Operations that are views in the execution layout. If the profile says `view`, the executor shares the storage and
 * never calls these; other profiles need them.
 */
export const viewKernel: Kernel<ViewOp> = {
  parameters: NO_PARAMETERS,
  forward({ op, inputs, outputShape }) {
    const copy = copyOf(kept(inputs[0], 'its input'));
    if (op.kind === 'identity') return { output: copy, aux: [] };
    const layout = op.kind === 'split-heads' ? 'heads' : 'image';
    return { output: tf.reshape(copy, executionShape(outputShape, layout)), aux: [] };
  },
  backward({ op, gradient, inputShapes, wants }) {
    if (wants[0] !== true) return { inputs: [null], parameters: [] };
    const copy = copyOf(gradient);
    if (op.kind === 'identity') return { inputs: [copy], parameters: [] };
    const layout = op.kind === 'merge-heads' ? 'heads' : 'image';
    return { inputs: [tf.reshape(copy, executionShape(inputShapes[0] ?? [], layout))], parameters: [] };
  },
};
