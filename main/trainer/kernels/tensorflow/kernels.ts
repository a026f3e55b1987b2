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

/** Kernels of operations for which TensorFlow has its own, on the processor. */
export const TENSORFLOW_KERNELS = {
  'batch-norm': tensorflowBatchNorm,
  'max-pool': tensorflowMaxPool,
  relu: tensorflowRelu,
  linear: tensorflowLinear,
  'tied-linear': tensorflowTiedLinear,
  embedding: tensorflowEmbedding,
  'position-embedding': tensorflowAddedEmbedding,
  'segment-embedding': tensorflowAddedEmbedding,
  'layer-norm': tensorflowLayerNorm,
  split: tensorflowSplit,
  gelu: tensorflowGelu,
  'attention-scores': tensorflowScores,
  'attention-values': tensorflowValues,
  scale: tensorflowScale,
  'causal-mask': tensorflowCausalMask,
  softmax: tensorflowSoftmax,
} as const;
