import { type Graph, predecessorsOf } from '../graph/graph.ts';
import { fieldsOf, type Operation, type OperationKind } from '../ops/operation.ts';
import { elementsOf } from '../ops/shape.ts';
import { FLOAT32, HALF } from './element-bytes.ts';

/**
 * What `torch.autocast` does with an operation (PyTorch, "Automatic Mixed Precision", op-specific behaviour).
 *
 * - `half`: its inputs are cast to the half type (products, convolutions, fused attention);
 * - `float32`: they are cast to float32 (normalisation over features);
 * - `to-float32`: it writes float32 and reads what it is given (softmax, by its `dtype` argument);
 * - `widest`: the widest of its inputs' types, which PyTorch's type promotion gives a sum too;
 * - `own`: the type of its first input, as for all that no list names.
 */
type Policy = 'half' | 'float32' | 'to-float32' | 'widest' | 'own';

/** Whose lists: CUDA's, or the CPU's, where softmax and layer norm keep their input's type. */
export type AutocastDevice = 'cuda' | 'cpu';

const POLICIES: Readonly<Partial<Record<OperationKind, Policy>>> = {
  conv2d: 'half',
  'conv-transpose2d': 'half',
  linear: 'half',
  'tied-linear': 'half',
  'attention-scores': 'half',
  'attention-values': 'half',
  attention: 'half',
  'layer-norm': 'float32',
  'group-norm': 'float32',
  softmax: 'to-float32',
  add: 'widest',
  multiply: 'widest',
  concat: 'widest',
};

/** Of the above what CUDA alone has. */
const CUDA_ONLY: readonly Policy[] = ['float32', 'to-float32'];

/** Operations that add a float32 parameter to what they read: type promotion makes the result float32. */
const WITH_PARAMETER: readonly OperationKind[] = ['position-embedding', 'segment-embedding', 'class-token'];

/** Kinds of captured operations, by PyTorch's own names, without `aten::`. Anything else is unknown. */
const LABELS: Readonly<Record<Policy, readonly string[]>> = {
  half: [
    'convolution',
    'addmm',
    'mm',
    'bmm',
    'baddbmm',
    'linear',
    'matmul',
    '_scaled_dot_product_flash_attention',
    '_scaled_dot_product_efficient_attention',
    '_scaled_dot_product_flash_attention_for_cpu',
    '_scaled_dot_product_cudnn_attention',
  ],
  float32: ['native_layer_norm', 'native_group_norm'],
  'to-float32': ['_softmax', '_log_softmax'],
  widest: ['add', 'add_', 'sub', 'mul', 'cat', 'stack'],
  own: [
    'native_batch_norm',
    '_native_batch_norm_legit_functional',
    'relu',
    'relu_',
    'gelu',
    'silu',
    'silu_',
    'sigmoid',
    'tanh',
    'hardtanh',
    'hardtanh_',
    'hardswish',
    'leaky_relu',
    'mean',
    'avg_pool2d',
    'max_pool2d_with_indices',
    '_adaptive_avg_pool2d',
    'clone',
    'native_dropout',
    'masked_fill',
    'constant_pad_nd',
    'flatten',
    'view',
    'div',
  ],
};

const POLICY_OF_LABEL: ReadonlyMap<string, Policy> = new Map(
  Object.entries(LABELS).flatMap(([policy, labels]) => labels.map((label) => [label, policy as Policy])),
);

/** Undefined where nothing is known of it. */
function policyOf(op: Operation, device: AutocastDevice): Policy | undefined {
  // A file may state the figures of an operation of ours: then its kind is its label.
  const policy =
    op.kind !== 'opaque'
      ? (POLICIES[op.kind] ?? 'own')
      : (POLICY_OF_LABEL.get(op.label) ?? (fieldsOf(op.label) === null ? undefined : ofKind(op.label)));
  return policy !== undefined && device === 'cpu' && CUDA_ONLY.includes(policy) ? 'own' : policy;
}

const ofKind = (label: string): Policy => POLICIES[label as OperationKind] ?? 'own';

/** Whether autocast casts its weights to the half type. */
export const runsInHalf = (op: Operation): boolean => policyOf(op, 'cuda') === 'half';

/**
 * A float32 graph under `torch.autocast`: bytes of each tensor by its own type, and the copies that operations make of
 * inputs of another type. Such a copy is what backward needs, so an input that was float32 is kept twice where two
 * products read it. Only copies of inputs are made anew for each reader; those of weights are cached (weights.ts).
 * A tensor that does not have four bytes an element already (a capture under autocast) stays as it is, and so does the
 * output of an operation that no list names and no kind explains (`unknownElementBytes`).
 *
 * Verified against PyTorch's own dispatch (test/reference/torch_training_memory.py). Not modelled: copies that live
 * within one operation only. Time and space O(V + E).
 */
export function underAutocast(graph: Graph, device: AutocastDevice = 'cuda'): Graph {
  const { size } = graph;
  const elementBytes = new Float64Array(size);
  const bytes = Float64Array.from(graph.bytes);
  const inputCopies = new Float64Array(graph.edgeCount);
  const isTokens = graph.operations[0]?.kind === 'tokens';
  let unknownBytes = 0;
  elementBytes[0] = originalElement(graph, 0);
  for (let v = 1; v < size; v++) {
    const op = graph.operations[v]!;
    const inputs = predecessorsOf(graph, v);
    const original = originalElement(graph, v);
    const policy = policyOf(op, device);
    const first = inputs[0] ?? 0;
    const offset = graph.predecessorOffsets[v] ?? 0;
    if (policy === undefined || original !== FLOAT32) {
      elementBytes[v] = original;
      if (policy === undefined) unknownBytes += graph.bytes[v] ?? 0;
      continue;
    }
    const cast = policy === 'half' ? HALF : policy === 'float32' ? FLOAT32 : null;
    if (cast !== null) {
      inputs.forEach((u, position) => {
        const from = elementBytes[u] ?? FLOAT32;
        if (from !== cast && (from === HALF || from === FLOAT32))
          inputCopies[offset + position] = ((bytes[u] ?? 0) / from) * cast;
      });
    }
    elementBytes[v] = resultElement(
      op,
      policy,
      Array.from(inputs, (u) => elementBytes[u] ?? FLOAT32),
    );
    // What looks tokens up reads its table, which is float32.
    if (isTokens && first === 0) elementBytes[v] = FLOAT32;
    bytes[v] = ((graph.bytes[v] ?? 0) / original) * (elementBytes[v] ?? FLOAT32);
  }
  return { ...graph, bytes, elementBytes, inputCopies, unknownElementBytes: unknownBytes };
}

function resultElement(op: Operation, policy: Policy, inputs: readonly number[]): number {
  if (policy === 'half') return HALF;
  if (policy === 'float32' || policy === 'to-float32') return FLOAT32;
  if (WITH_PARAMETER.includes(op.kind)) return FLOAT32;
  // In place the result has the type of what is overwritten.
  const isInPlace = (op.kind === 'add' && op.inplace) || (op.kind === 'opaque' && op.alias === 'inplace');
  if (policy === 'widest' && !isInPlace) return Math.max(...inputs);
  return inputs[0] ?? FLOAT32;
}

/** A float32 graph in two bytes an element, as `model.half()` and `model.bfloat16()` make it; tokens stay tokens. */
export function inHalf(graph: Graph): Graph {
  const elementBytes = Float64Array.from(graph.bytes, (_, v) => originalElement(graph, v));
  const bytes = Float64Array.from(graph.bytes, (own, v) => (elementBytes[v] === FLOAT32 ? own / 2 : own));
  return { ...graph, bytes, elementBytes: elementBytes.map((own) => (own === FLOAT32 ? HALF : own)) };
}

/** Bytes of an element as the graph was built, by its shape where there is one. */
function originalElement(graph: Graph, v: number): number {
  const shape = graph.shapes[v] ?? [];
  return shape.length === 0 ? graph.bytesPerElement : (graph.bytes[v] ?? 0) / elementsOf(shape);
}
