import { predecessorsOf, successorsOf } from '../../graph/graph.ts';
import { needsOf } from '../../ops/memory-model.ts';
import type { Problem } from '../strategy.ts';

/** A little graph as bit masks (bit v for vertex v), with sums over every set of vertices in tables. */
export interface ExactGraph {
  readonly size: number;
  /** All vertices. */
  readonly all: number;
  readonly inputs: Int32Array;
  readonly outputs: Int32Array;
  readonly needs: Int32Array;
  readonly neededBy: Int32Array;
  /** Vertices with an auxiliary. */
  readonly hasAux: number;
  /** Forward work by vertex. */
  readonly work: Float64Array;
  /** By set: bytes of its activations and of its auxiliaries. */
  readonly bytes: Float64Array;
  readonly auxBytes: Float64Array;
  /** By set of vertices whose backward has run: live gradients between two steps. */
  readonly gradients: Float64Array;
  /** By vertex: bytes of its gradient; 0 for the target, whose gradient lives during its own step alone. */
  readonly ownGradient: Float64Array;
  readonly targetGradient: number;
}

/** Time and space O(2^V · V). */
export function exactGraph({ graph, memory }: Problem): ExactGraph {
  const { size } = graph;
  const inputs = new Int32Array(size);
  const outputs = new Int32Array(size);
  const needs = new Int32Array(size);
  const neededBy = new Int32Array(size);
  let hasAux = 0;
  for (let v = 0; v < size; v++) {
    for (const u of predecessorsOf(graph, v)) inputs[v]! |= 1 << u;
    for (const w of successorsOf(graph, v)) outputs[v]! |= 1 << w;
    for (const u of needsOf(memory, v)) {
      needs[v]! |= 1 << u;
      neededBy[u]! |= 1 << v;
    }
    if (memory.auxBytes[v]! > 0) hasAux |= 1 << v;
  }
  const sets = 2 ** size;
  const bytes = new Float64Array(sets);
  const auxBytes = new Float64Array(sets);
  const gradients = new Float64Array(sets);
  for (let set = 1; set < sets; set++) {
    const v = 31 - Math.clz32(set);
    bytes[set] = bytes[set & ~(1 << v)]! + memory.outputBytes[v]!;
    auxBytes[set] = auxBytes[set & ~(1 << v)]! + memory.auxBytes[v]!;
    for (let u = 1; u < size; u++) {
      if (((set >> u) & 1) === 0 && (outputs[u]! & set) !== 0) gradients[set]! += memory.gradientBytes[u]!;
    }
  }
  const ownGradient = Float64Array.from(memory.gradientBytes);
  ownGradient[size - 1] = 0;
  return {
    size,
    all: sets - 1,
    inputs,
    outputs,
    needs,
    neededBy,
    hasAux,
    work: graph.flops.some((flops) => flops > 0) ? graph.flops : graph.bytes,
    bytes,
    auxBytes,
    gradients,
    ownGradient,
    targetGradient: memory.gradientBytes[size - 1]!,
  };
}
