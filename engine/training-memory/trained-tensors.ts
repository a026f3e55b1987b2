import { getOrCompute } from '../get-or-compute.ts';
import { type Graph, predecessorsOf, vertexOf } from '../graph/graph.ts';
import { definitionOf, parametersOf } from '../ops/operation.ts';
import { elementsOf } from '../ops/shape.ts';
import { runsInHalf } from './autocast.ts';
import type { TrainedTensor } from './optimizers.ts';

/** A tensor of parameters and who uses it. */
export interface UsedTensor extends TrainedTensor {
  /** The operations whose backward makes its gradient, in topological order. */
  readonly users: readonly number[];
  /** True if autocast makes a half copy of it. */
  readonly halved: boolean;
  /** True if it has no gradient. */
  readonly isFrozen: boolean;
  /** Bytes as it is stored; null where the precision of training says it. */
  readonly storedBytes: number | null;
}

/**
 * Every tensor of parameters of a graph, a shared one once, and those that one vertex stores together as one. Of a vertex whose parameters a file states and that are not what
 * its operation would have, the number alone is known. Time O(V).
 */
export function trainedTensors(graph: Graph): readonly UsedTensor[] {
  return getOrCompute(known, graph, () => tensorsOf(graph));
}

/** Asked for with each plan of a front. */
const known = new WeakMap<Graph, readonly UsedTensor[]>();

function tensorsOf(graph: Graph): UsedTensor[] {
  const tensors: UsedTensor[] = [];
  const tables = new Map<number, number>();
  graph.operations.forEach((op, v) => {
    const halved = runsInHalf(op);
    const count = graph.parameters[v] ?? 0;
    if (op.kind === 'tied-linear') {
      const owner = tables.get(vertexOf(graph, op.table));
      const table = owner === undefined ? undefined : tensors[owner];
      if (owner !== undefined && table !== undefined)
        tensors[owner] = { ...table, users: [...table.users, v], halved: table.halved || halved };
    }
    if (count === 0) return;
    const shapes = v === 0 ? [] : Array.from(predecessorsOf(graph, v), (u) => graph.shapes[u] ?? []);
    if (op.kind === 'embedding') tables.set(v, tensors.length);
    const isFrozen = graph.frozen?.weights[v] === 1;
    const storedBytes = graph.frozen?.storedBytes[v] || null;
    const isPacked = (graph.frozen?.unpackedBytes[v] ?? 0) > 0;
    const common = { users: [v], halved: halved && !isPacked, isFrozen, storedBytes };
    if (v > 0 && parametersOf(op, shapes) === count && !isPacked) {
      for (const shape of definitionOf(op).parameterShapes(op, shapes))
        tensors.push({ shape, elements: elementsOf(shape), ...common });
    } else tensors.push({ shape: null, elements: count, ...common });
  });
  return tensors;
}

/** Bytes of a tensor of parameters, and of its gradient. @param element of the weights in this precision */
export const ownBytes = ({ storedBytes, elements }: UsedTensor, element: number): number =>
  storedBytes ?? elements * element;

/** Elements of the running mean and variance of batch norm, and the 8 bytes of its counter: buffers, not trained. */
export function bufferBytes(graph: Graph, elementBytes: number): number {
  return graph.operations.reduce((sum, op, v) => {
    if (op.kind !== 'batch-norm') return sum;
    return sum + 2 * (graph.shapes[v]?.[1] ?? 0) * elementBytes + COUNTER_BYTES;
  }, 0);
}

const COUNTER_BYTES = 8;
