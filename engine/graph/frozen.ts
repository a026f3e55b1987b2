import { type Keeps, KEEPS_NOTHING } from '../ops/definition.ts';
import type { Operation } from '../ops/operation.ts';
import { type Graph, predecessorsOf } from './graph.ts';

/** Storage of the parameters of a vertex, where the precision of training does not say it. */
export interface Stored {
  readonly bytes: number;
  readonly unpackedBytes: number;
}

/** Each gradient of these products needs the other input alone. */
const FACTORS: readonly Operation['kind'][] = ['multiply', 'attention-scores', 'attention-values'];

/** @param isTrained true for vertices whose parameters have gradients; all other parameters are frozen. Time O(V + E) */
export function withFrozen(
  graph: Graph,
  isTrained: (v: number) => boolean,
  stored: ReadonlyMap<number, Stored>,
): Graph {
  const { size } = graph;
  const weights = new Uint8Array(size);
  const outputs = new Uint8Array(size);
  const backwardFlops = Float64Array.from(graph.backwardFlops);
  for (let v = 0; v < size; v++) {
    if (isTrained(v)) continue;
    weights[v] = 1;
    outputs[v] = predecessorsOf(graph, v).every((u) => outputs[u] === 1) ? 1 : 0;
    if (outputs[v] === 1) backwardFlops[v] = 0;
    // The product for the weight's gradient is not computed.
    else if (multipliesByWeight(graph, v))
      backwardFlops[v] = Math.min(graph.backwardFlops[v] ?? 0, graph.flops[v] ?? 0);
  }
  const column = (read: (one: Stored) => number): Float64Array =>
    Float64Array.from({ length: size }, (_, v) => {
      const one = stored.get(v);
      return one === undefined ? 0 : read(one);
    });
  const frozen = {
    weights,
    outputs,
    storedBytes: column(({ bytes }) => bytes),
    unpackedBytes: column(({ unpackedBytes }) => unpackedBytes),
  };
  return { ...graph, backwardFlops, frozen };
}

const multipliesByWeight = (graph: Graph, v: number): boolean =>
  (graph.parameters[v] ?? 0) > 0 || graph.operations[v]?.kind === 'tied-linear';

/**
 * The part of what backward needs that gradients of what is trained need: nothing before the first trained parameter, no
 * input of a frozen product, one factor where the other has no gradient. Verified against autograd
 * (test/engine/zoo/language).
 */
export function keepsWithFrozen(graph: Graph, v: number, keeps: Keeps): Keeps {
  const { frozen } = graph;
  const kind = graph.operations[v]?.kind;
  if (frozen === undefined || kind === undefined) return keeps;
  if (frozen.outputs[v] === 1) return KEEPS_NOTHING;
  if (frozen.weights[v] === 1 && (kind === 'linear' || kind === 'tied-linear'))
    return { ...keeps, inputs: [] };
  if (!FACTORS.includes(kind)) return keeps;
  const inputs = predecessorsOf(graph, v);
  const isNeeded = (position: number): boolean => frozen.outputs[inputs[1 - position] ?? 0] !== 1;
  return { ...keeps, inputs: keeps.inputs.filter(isNeeded) };
}
