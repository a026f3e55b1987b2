import { type Graph, predecessorsOf } from '../graph/graph.ts';
import { kindOfLabel } from '../ops/aten.ts';
import type { AutocastPolicy } from '../ops/definition.ts';
import { autocastOf, type Operation } from '../ops/operation.ts';
import { elementsOf } from '../ops/shape.ts';
import { FLOAT32, HALF } from './element-bytes.ts';

/** Whose lists: CUDA's, or the CPU's, where softmax and layer norm keep their input's type. */
export type AutocastDevice = 'cuda' | 'cpu';

/** Policies that CUDA's lists alone have. */
const CUDA_ONLY: readonly AutocastPolicy[] = ['float32', 'to-float32'];

/** Undefined where the operation is unknown. A label of a file may be one of ATen's, or a kind of ours. */
function policyOf(op: Operation, device: AutocastDevice): AutocastPolicy | undefined {
  const kind = op.kind === 'opaque' ? kindOfLabel(op.label) : op.kind;
  const policy = kind && autocastOf(kind);
  return policy !== undefined && device === 'cpu' && CUDA_ONLY.includes(policy) ? 'own' : policy;
}

/** True when autocast casts its weights to the half type. */
export const runsInHalf = (op: Operation): boolean => policyOf(op, 'cuda') === 'half';

/**
 * A float32 graph under `torch.autocast`: bytes of each tensor by its own type, and the copies that operations make of
 * inputs of another type. Such a copy is what backward needs, so an input that was float32 is kept twice where two
 * products read it. Only copies of inputs are recomputed for each reader; those of weights are cached (weights.ts).
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
    // An embedding reads its table, which is float32.
    if (isTokens && first === 0) elementBytes[v] = FLOAT32;
    bytes[v] = ((graph.bytes[v] ?? 0) / original) * (elementBytes[v] ?? FLOAT32);
  }
  return { ...withBytes(graph, bytes), elementBytes, inputCopies, unknownElementBytes: unknownBytes };
}

function resultElement(op: Operation, policy: AutocastPolicy, inputs: readonly number[]): number {
  if (policy === 'half') return HALF;
  if (policy === 'float32' || policy === 'to-float32' || policy === 'parameter') return FLOAT32;
  // In place the result has the type of what is overwritten.
  const isInPlace = (op.kind === 'add' && op.inplace) || (op.kind === 'opaque' && op.alias === 'inplace');
  if (policy === 'widest' && !isInPlace) return Math.max(...inputs);
  return inputs[0] ?? FLOAT32;
}

/** A float32 graph in two bytes an element, as `model.half()` and `model.bfloat16()` make it; tokens stay tokens. */
export function inHalf(graph: Graph): Graph {
  const elementBytes = Float64Array.from(graph.bytes, (_, v) => originalElement(graph, v));
  const bytes = Float64Array.from(graph.bytes, (own, v) => (elementBytes[v] === FLOAT32 ? own / 2 : own));
  return {
    ...withBytes(graph, bytes),
    elementBytes: elementBytes.map((own) => (own === FLOAT32 ? HALF : own)),
  };
}

/** Measured bytes of a backward change as the result of its vertex does. */
function withBytes(graph: Graph, bytes: Float64Array): Graph {
  const scaled = graph.backwardBytes?.map((own, v) => Math.ceil(own * (bytes[v]! / (graph.bytes[v]! || 1))));
  return { ...graph, bytes, ...(scaled === undefined ? {} : { backwardBytes: scaled }) };
}

/** Bytes of an element as the graph was built, by its shape where there is one. */
function originalElement(graph: Graph, v: number): number {
  const shape = graph.shapes[v] ?? [];
  return shape.length === 0 ? graph.bytesPerElement : (graph.bytes[v] ?? 0) / elementsOf(shape);
}
