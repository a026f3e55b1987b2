import { BadInputError } from '../../../engine/errors.ts';
import type { Operation, OperationKind } from '../../../engine/ops/operation.ts';
import { adaptiveAvgPoolKernel } from './adaptive-avg-pool.ts';
import { addKernel } from './add.ts';
import { avgPoolKernel } from './avg-pool.ts';
import { batchNormKernel } from './batch-norm.ts';
import { concatKernel } from './concat.ts';
import { conv2dKernel } from './conv2d.ts';
import { dropoutKernel } from './dropout.ts';
import type { Kernel } from './kernel.ts';
import { linearKernel } from './linear.ts';
import { maxPoolKernel } from './max-pool.ts';
import { multiplyKernel } from './multiply.ts';
import { reluKernel } from './relu.ts';
import { shiftKernel } from './shift.ts';
import { viewKernel } from './views.ts';

const KERNELS = {
  conv2d: conv2dKernel,
  'max-pool': maxPoolKernel,
  'avg-pool': avgPoolKernel,
  'adaptive-avg-pool': adaptiveAvgPoolKernel,
  'batch-norm': batchNormKernel,
  relu: reluKernel,
  add: addKernel,
  multiply: multiplyKernel,
  concat: concatKernel,
  flatten: viewKernel,
  linear: linearKernel,
  dropout: dropoutKernel,
  identity: viewKernel,
  shift: shiftKernel,
} as const satisfies Partial<Record<OperationKind, unknown>>;

/**
 * How an operation runs.
 * @throws BadInputError for one that nobody can run: an input, or a vertex known by its bytes alone
 */
export function kernelOf(op: Operation, id: string): Kernel {
  if (op.kind === 'input' || op.kind === 'opaque') {
    throw new BadInputError(
      `${id} gives its bytes but not its operation, so it can be simulated but not trained; choose a network of the zoo`,
    );
  }
  if (!(op.kind in KERNELS)) {
    throw new BadInputError(`the trainer has no kernel for ${op.kind} (${id}); choose another network`);
  }
  // Methods are bivariant: the kernel of a kind takes the operations of that kind only.
  return KERNELS[op.kind as keyof typeof KERNELS] as Kernel;
}
