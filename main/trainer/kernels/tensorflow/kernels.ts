import type { OperationKind } from '../../../../engine/ops/operation.ts';
import {
  tensorflowCausalMask,
  tensorflowScale,
  tensorflowScores,
  tensorflowSoftmax,
  tensorflowValues,
} from './attention.ts';
import { tensorflowBatchNorm } from './batch-norm.ts';
import { tensorflowGelu } from './gelu.ts';
import { tensorflowMaxPool, tensorflowRelu } from './images.ts';
import { tensorflowLayerNorm } from './layer-norm.ts';
import { tensorflowLinear, tensorflowTiedLinear } from './linear.ts';
import { tensorflowAddedEmbedding, tensorflowEmbedding, tensorflowSplit } from './tokens.ts';

/** Kernels for which TensorFlow's own operations are as fast as ours, or that call ours when faster. */
const ALWAYS = {
  'batch-norm': tensorflowBatchNorm,
  'max-pool': tensorflowMaxPool,
  relu: tensorflowRelu,
  embedding: tensorflowEmbedding,
  'position-embedding': tensorflowAddedEmbedding,
  'segment-embedding': tensorflowAddedEmbedding,
  split: tensorflowSplit,
  linear: tensorflowLinear,
  'tied-linear': tensorflowTiedLinear,
  gelu: tensorflowGelu,
} as const;

/** Kernels of several small operations, used if the setup built no fused kernel (backends/tensorflow). */
const UNFUSED = {
  ...ALWAYS,
  'layer-norm': tensorflowLayerNorm,
  'attention-scores': tensorflowScores,
  'attention-values': tensorflowValues,
  scale: tensorflowScale,
  'causal-mask': tensorflowCausalMask,
  softmax: tensorflowSoftmax,
} as const;

/** Kernels in TensorFlow's own operations, on the processor. */
export const tensorflowKernels = (fuses: boolean): Partial<Record<OperationKind, unknown>> =>
  fuses ? ALWAYS : UNFUSED;
