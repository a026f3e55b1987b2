import { type Graph, predecessorsOf } from '../graph/graph.ts';
import type { MemoryModel } from '../ops/memory-model.ts';
import { indices } from '../typed-arrays.ts';

/** By vertex: what it is a view of, through any number of views; itself where it is none. */
export function valuesOf(memory: MemoryModel, size: number): Int32Array {
  const value = indices(size);
  for (let v = 1; v < size; v++) if ((memory.viewOf[v] ?? -1) >= 0) value[v] = value[memory.viewOf[v]!]!;
  return value;
}

/** By vertex: bytes of the storage that its value is in, which an operation in place takes over as it is. */
export function storageBytesOf(memory: MemoryModel, size: number): Float64Array {
  const bytes = Float64Array.from(memory.outputBytes);
  for (let v = 1; v < size; v++) {
    const from = Math.max(memory.takesOver[v] ?? -1, memory.viewOf[v] ?? -1);
    if (from >= 0) bytes[v] = bytes[from]!;
  }
  return bytes;
}

/**
 * Bytes of the gradients of v and of its inputs while backward v runs: allocated by then, but where v is a view of the
 * input and hands its gradient over.
 */
export function gradientsAt(graph: Graph, { gradientBytes, viewOf }: MemoryModel, v: number): number {
  let bytes = gradientBytes[v]!;
  const inputs = predecessorsOf(graph, v);
  for (const u of inputs.length > 1 ? new Set(inputs) : inputs) {
    const handedOver = viewOf[v] === u && gradientBytes[u] === gradientBytes[v];
    if (!handedOver) bytes += gradientBytes[u]!;
  }
  return bytes;
}

/**
 * By vertex: what it is forwarded with as one. As `valuesOf`, and an operation that overwrites its only input in place
 * goes with that input, where neither keeps auxiliaries that grow with the batch: nothing else reads the input, so to
 * forward it alone serves no purpose but its fixed auxiliaries.
 */
export function groupsOf(graph: Graph, memory: MemoryModel): Int32Array {
  const group = valuesOf(memory, graph.size);
  const grows = (v: number): boolean => memory.auxBytes[v]! > 0 && memory.auxIsFixed[v] !== 1;
  for (let v = 1; v < graph.size; v++) {
    const taken = memory.takesOver[v] ?? -1;
    const viewed = memory.viewOf[v] ?? -1;
    if (viewed >= 0) group[v] = group[viewed]!;
    else if (taken > 0 && !grows(v) && !grows(group[taken]!) && new Set(predecessorsOf(graph, v)).size === 1)
      group[v] = group[taken]!;
  }
  return group;
}
