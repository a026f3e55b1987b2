import { predecessorsOf, successorsOf, workOf } from '../../graph/graph.ts';
import { needsOf } from '../../ops/memory-model.ts';
import type { Problem } from '../strategy/strategy.ts';

/**
 * A little graph as bit masks (bit v for vertex v), with sums over every set of vertices in tables. The source is
 * there throughout, so it is in no mask.
 */
export interface StepGraph {
  readonly size: number;
  /** All vertices but the source. */
  readonly all: number;
  readonly target: number;
  /** By vertex: what its forward reads, who reads it, what its backward needs. */
  readonly inputs: Int32Array;
  readonly outputs: Int32Array;
  readonly needs: Int32Array;
  /** By vertex: the value that its forward overwrites (a mask of one, or 0), and all views of its own. */
  readonly takes: Int32Array;
  readonly views: Int32Array;
  /** Vertices with an auxiliary. */
  readonly hasAux: number;
  /** Forward work by vertex. */
  readonly work: Float64Array;
  readonly sourceBytes: number;
  /** By set: bytes of the distinct storages of its activations, and of its auxiliaries. */
  readonly bytes: Float64Array;
  readonly auxBytes: Float64Array;
  /** By set of vertices whose backward has run: live gradients between two steps. */
  readonly gradients: Float64Array;
  /** By vertex: its own gradient, which lives through its backward. */
  readonly ownGradient: Float64Array;
  /** By vertex: the gradient that a view hands to its input where that has none yet, and this input as a mask. */
  readonly handed: Float64Array;
  readonly viewed: Int32Array;
}

/** Time and space O(2^V · V). */
export function stepGraph({ graph, memory }: Problem): StepGraph {
  const { size } = graph;
  const masks = (of: (v: number) => Int32Array): Int32Array =>
    Int32Array.from({ length: size }, (_, v) => of(v).reduce((mask, u) => mask | (1 << u), 0) & ~1);
  const outputs = masks((v) => successorsOf(graph, v));
  const views = new Int32Array(size);
  /** The value at the top of a chain of views, and the vertex that allocates its storage. */
  const top = Int32Array.from({ length: size }, (_, v) => v);
  const storage = Int32Array.from({ length: size }, (_, v) => v);
  const takes = new Int32Array(size);
  const handed = new Float64Array(size);
  const viewed = new Int32Array(size);
  for (let v = 1; v < size; v++) {
    const taken = memory.takesOver[v]!;
    const seen = memory.viewOf[v]!;
    if (taken > 0) takes[v] = 1 << taken;
    storage[v] = storage[Math.max(taken, seen)] ?? v;
    if (seen < 0) continue;
    top[v] = top[seen]!;
    for (let u = seen; u > 0; u = memory.viewOf[u]!) views[u]! |= 1 << v;
    // A second contribution is a sum, which does not fit beside the first in one storage.
    const isOnly = predecessorsOf(graph, v).filter((u) => u === seen).length === 1;
    if (seen === 0 || !isOnly || memory.gradientBytes[seen] !== memory.gradientBytes[v]) continue;
    handed[v] = memory.gradientBytes[v]!;
    viewed[v] = 1 << seen;
  }
  const sets = 2 ** size;
  const bytes = new Float64Array(sets);
  const auxBytes = new Float64Array(sets);
  const gradients = new Float64Array(sets);
  const sameStorage = Int32Array.from(top, (root) =>
    top.reduce((mask, other, v) => (other === root ? mask | (1 << v) : mask), 0),
  );
  let hasAux = 0;
  for (let v = 1; v < size; v++) if (memory.auxBytes[v]! > 0) hasAux |= 1 << v;
  for (let set = 2; set < sets; set += 2) {
    const v = 31 - Math.clz32(set);
    const rest = set & ~(1 << v);
    const isShared = top[v] === 0 || (sameStorage[v]! & rest) !== 0;
    bytes[set] = bytes[rest]! + (isShared ? 0 : memory.outputBytes[storage[top[v]!]!]!);
    auxBytes[set] = auxBytes[rest]! + memory.auxBytes[v]!;
    for (let u = 1; u < size; u++) {
      if (((set >> u) & 1) === 0 && (outputs[u]! & set) !== 0) gradients[set]! += memory.gradientBytes[u]!;
    }
  }
  return {
    size,
    all: sets - 2,
    target: 1 << (size - 1),
    inputs: masks((v) => predecessorsOf(graph, v)),
    outputs,
    needs: masks((v) => needsOf(memory, v)),
    takes,
    views,
    hasAux,
    work: workOf(graph),
    sourceBytes: memory.outputBytes[0]!,
    bytes,
    auxBytes,
    gradients,
    ownGradient: memory.gradientBytes,
    handed,
    viewed,
  };
}
