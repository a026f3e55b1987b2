import { BadInputError } from '../../../engine/errors.ts';
import type { Operation, OperationKind } from '../../../engine/ops/operation.ts';
import { adaptiveAvgPoolKernel } from './adaptive-avg-pool.ts';
import { addKernel } from './add.ts';
import { attentionScoresKernel, attentionValuesKernel } from './attention.ts';
import { avgPoolKernel } from './avg-pool.ts';
import { batchNormKernel } from './batch-norm.ts';
import { concatKernel } from './concat.ts';
import { convTranspose2dKernel } from './conv-transpose2d.ts';
import { conv2dKernel } from './conv2d.ts';
import { dropoutKernel } from './dropout.ts';
import { geluKernel, relu6Kernel, scaleKernel, sigmoidKernel, tanhKernel } from './elementwise.ts';
import { addedEmbeddingKernel, embeddingKernel } from './embedding.ts';
import { attentionKernel } from './fused-attention.ts';
import type { Kernel } from './kernel.ts';
import { groupNormKernel } from './group-norm.ts';
import { layerNormKernel } from './layer-norm.ts';
import { linearKernel } from './linear.ts';
import { maxPoolKernel } from './max-pool.ts';
import { multiplyKernel } from './multiply.ts';
import { reluKernel } from './relu.ts';
import { classTokenKernel, firstKernel, splitKernel } from './sequence-slices.ts';
import { shiftKernel } from './shift.ts';
import { causalMaskKernel, softmaxKernel } from './softmax.ts';
import { tensorflowKernels } from './tensorflow/kernels.ts';
import { tiedLinearKernel } from './tied-linear.ts';
import { backendTraits } from './traits.ts';
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
  embedding: embeddingKernel,
  'position-embedding': addedEmbeddingKernel,
  'segment-embedding': addedEmbeddingKernel,
  'tied-linear': tiedLinearKernel,
  'layer-norm': layerNormKernel,
  'group-norm': groupNormKernel,
  gelu: geluKernel,
  tanh: tanhKernel,
  sigmoid: sigmoidKernel,
  relu6: relu6Kernel,
  'conv-transpose2d': convTranspose2dKernel,
  patches: viewKernel,
  'class-token': classTokenKernel,
  first: firstKernel,
  split: splitKernel,
  'split-heads': viewKernel,
  'merge-heads': viewKernel,
  'attention-scores': attentionScoresKernel,
  scale: scaleKernel,
  'causal-mask': causalMaskKernel,
  softmax: softmaxKernel,
  'attention-values': attentionValuesKernel,
  attention: attentionKernel,
} as const satisfies Record<Exclude<OperationKind, 'input' | 'tokens' | 'opaque'>, unknown>;

/** How an operation runs. @throws BadInputError for one without a kernel: an input, or a size-only vertex */
export function kernelOf(op: Operation, id: string): Kernel {
  if (op.kind === 'input' || op.kind === 'tokens' || op.kind === 'opaque') {
    const label = op.kind === 'opaque' && op.label !== 'opaque' ? ` (${op.label})` : '';
    throw new BadInputError(
      `the trainer has no kernel for ${id}${label}, so this network can be simulated but not trained here; choose another`,
    );
  }
  // Methods are bivariant: the kernel of a kind takes the operations of that kind only.
  const { ownOperations, fuses } = backendTraits();
  const own = ownOperations ? tensorflowKernels(fuses) : {};
  return (own[op.kind] ?? KERNELS[op.kind]) as Kernel;
}
