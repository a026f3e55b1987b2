import { type Graph, predecessorsOf } from '../graph/graph.ts';
import { type MemoryModel, needsOf } from '../ops/memory-model.ts';

export interface LowerBound {
  /** No schedule that the simulator accepts has a lower peak. */
  readonly bytes: number;
  /** The step that needs it, in one sentence. */
  readonly why: string;
}

/**
 * A lower bound on the peak of any schedule that the simulator accepts: the largest working set of a
 * single step. Backward v holds the source, the activations that it needs, its auxiliaries and the
 * gradients of v and of its inputs; forward v holds its inputs, its output and its auxiliaries.
 * Time and space O(V + E).
 */
export function lowerBound({ graph, memory }: { graph: Graph; memory: MemoryModel }): LowerBound {
  let bytes = 0;
  let why = '';
  const base = storageBases(memory, graph.size);
  for (let v = 1; v < graph.size; v++) {
    const inputs = new Set(predecessorsOf(graph, v));
    const forward =
      activationBytes(memory, base, [...inputs, ...(memory.takesOver[v] === -1 ? [v] : [])]) +
      (memory.auxBytes[v] ?? 0);
    let backward = activationBytes(memory, base, needsOf(memory, v)) + (memory.auxBytes[v] ?? 0);
    backward += memory.gradientBytes[v] ?? 0;
    for (const u of inputs) if (memory.viewOf[v] !== u) backward += memory.gradientBytes[u] ?? 0;
    if (forward > bytes) {
      bytes = forward;
      why = `forward ${graph.ids[v]} needs its inputs and its output at once`;
    }
    if (backward > bytes) {
      bytes = backward;
      why = `backward ${graph.ids[v]} needs its activations and gradients at once`;
    }
  }
  return { bytes, why };
}

/** The vertex whose forward allocated the storage that holds v's value. */
function storageBases(memory: MemoryModel, size: number): Int32Array {
  const base = Int32Array.from({ length: size }, (_, v) => v);
  for (let v = 1; v < size; v++) {
    const from = Math.max(memory.takesOver[v] ?? -1, memory.viewOf[v] ?? -1);
    if (from >= 0) base[v] = base[from] ?? v;
  }
  return base;
}

/** Bytes of the distinct storages that hold the values of some vertices, the source always among them. */
function activationBytes(memory: MemoryModel, base: Int32Array, vertices: Iterable<number>): number {
  const storages = new Set<number>([0]);
  for (const v of vertices) storages.add(base[v] ?? v);
  let bytes = 0;
  for (const s of storages) bytes += memory.outputBytes[s] ?? 0;
  return bytes;
}
