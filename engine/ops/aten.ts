import { fieldsOf, type OperationKind } from './operation.ts';

/**
 * Operations of captured graphs by PyTorch's own names, without `aten::`, and the kind that each behaves as under
 * `torch.autocast` and in FLOPs for each element of its output. Anything else is unknown.
 */
export const ATEN_KINDS: Readonly<Record<string, OperationKind>> = {
  convolution: 'conv2d',
  addmm: 'linear',
  mm: 'linear',
  linear: 'linear',
  matmul: 'linear',
  bmm: 'attention-scores',
  baddbmm: 'attention-scores',
  _scaled_dot_product_flash_attention: 'attention',
  _scaled_dot_product_efficient_attention: 'attention',
  _scaled_dot_product_flash_attention_for_cpu: 'attention',
  _scaled_dot_product_cudnn_attention: 'attention',
  native_layer_norm: 'layer-norm',
  native_group_norm: 'group-norm',
  native_batch_norm: 'batch-norm',
  _native_batch_norm_legit_functional: 'batch-norm',
  _softmax: 'softmax',
  _log_softmax: 'softmax',
  add: 'add',
  add_: 'add',
  sub: 'add',
  mul: 'multiply',
  cat: 'concat',
  stack: 'concat',
  relu: 'relu',
  relu_: 'relu',
  leaky_relu: 'relu',
  gelu: 'gelu',
  silu: 'sigmoid',
  silu_: 'sigmoid',
  sigmoid: 'sigmoid',
  hardswish: 'sigmoid',
  tanh: 'tanh',
  hardtanh: 'relu6',
  hardtanh_: 'relu6',
  mean: 'adaptive-avg-pool',
  _adaptive_avg_pool2d: 'adaptive-avg-pool',
  avg_pool2d: 'avg-pool',
  max_pool2d_with_indices: 'max-pool',
  native_dropout: 'dropout',
  masked_fill: 'causal-mask',
  constant_pad_nd: 'shift',
  clone: 'identity',
  flatten: 'flatten',
  view: 'flatten',
  div: 'scale',
};

/** The kind that an operation of a file behaves as: its label may be one of ATen's, or a kind itself. */
export function kindOfLabel(label: string): OperationKind | undefined {
  if (Object.hasOwn(ATEN_KINDS, label)) return ATEN_KINDS[label];
  return fieldsOf(label) === null ? undefined : (label as OperationKind);
}
