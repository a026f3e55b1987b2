import { type Graph, predecessorsOf, successorsOf } from '../graph/graph.ts';
import { handsOver, type MemoryModel } from '../ops/memory-model.ts';
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
export function gradientsAt(graph: Graph, memory: MemoryModel, v: number): number {
  let bytes = memory.gradientBytes[v]!;
  const inputs = predecessorsOf(graph, v);
  for (const u of inputs.length > 1 ? new Set(inputs) : inputs) {
    if (!handsOver(memory, v, u)) bytes += memory.gradientBytes[u]!;
  }
  return bytes;
}

/**
 * The memory model without the gradients that may be in the storage of another one, because a sum hands one on to all of
 * its inputs: for bounds, which count a storage for each gradient. Storages of the others differ.
 */
export function withOwnGradients(graph: Graph, memory: MemoryModel): MemoryModel {
  const { sharesGradient } = memory;
  if (sharesGradient === undefined) return memory;
  const gradientBytes = Float64Array.from(memory.gradientBytes);
  const isShared = new Uint8Array(graph.size);
  for (let u = graph.size - 1; u > 0; u--) {
    for (const v of successorsOf(graph, u))
      if (handsOver(memory, v, u) && (sharesGradient[v] === 1 || isShared[v] === 1)) isShared[u] = 1;
    if (isShared[u] === 1) gradientBytes[u] = 0;
  }
  return { ...memory, gradientBytes };
}

/** The most bytes that the program itself holds at once while something else is first forwarded in the given order. */
export function mostHeldBytes(graph: Graph, memory: MemoryModel): number {
  const bytes = storageBytesOf(memory, graph.size);
  const ends = new Float64Array(graph.size + 1);
  let held = 0;
  let most = 0;
  for (let v = 0; v < graph.size; v++) {
    held -= ends[v]!;
    most = Math.max(most, held + (memory.besideBytes?.[v] ?? 0));
    const until = memory.heldUntil?.[v] ?? 0;
    if (until === 0 || memory.takesOver[v]! >= 0 || memory.viewOf[v]! >= 0) continue;
    held += bytes[v]!;
    ends[until + 1]! += bytes[v]!;
  }
  return most;
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
