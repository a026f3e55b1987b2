import type { Graph } from '../graph/graph.ts';
import { verticesRunOnce } from '../ops/runs-once.ts';
import type { MemoryModel } from '../ops/memory-model.ts';
import {
  BACKWARD,
  FETCH,
  FORWARD,
  FREE,
  FREE_AUX,
  type Schedule,
  ScheduleBuilder,
  SEND,
} from './schedule.ts';

/**
 * Completes a list of forward and backward steps with the frees: every activation and auxiliary is
 * released right after the last step that uses it before it is computed again (or for good). So which
 * tensors are checkpoints need not be said: a tensor that is used in backward and not recomputed
 * stays. A send to host memory is a use, and what is fetched from there begins again. No other placement of frees has a lower live size at any step.
 * Steps of other kinds are kept where they are. Time and space O(steps + uses).
 *
 * An operation between GPUs, or a cast that autocast keeps, is never recomputed: its output stays instead, and what was
 * recomputed for it alone is left out.
 *
 * @param alsoUsed activations that a step uses besides those that it needs, by step
 */
export function insertFrees(
  graph: Graph,
  memory: MemoryModel,
  compute: Schedule,
  alsoUsed?: ReadonlyMap<number, readonly number[]>,
): Schedule {
  const steps = compute.kinds.length;
  const { predecessors, predecessorOffsets } = graph;
  // One scan backwards: the first time an instance is seen used is its last use.
  const valueUsed = new Uint8Array(graph.size);
  const auxUsed = new Uint8Array(graph.size);
  // The frees of all steps, the last step's first, and where those of a step end.
  const frees: number[] = [];
  const ends = new Int32Array(steps);
  const use = (u: number): void => {
    if (valueUsed[u] === 1) return;
    valueUsed[u] = 1;
    // The source is stored throughout.
    if (u !== 0) frees.push(u);
  };
  const freeAuxAfter = new Uint8Array(steps);
  const leftOut = repeatsOf(graph, compute);
  for (let t = steps - 1; t >= 0; t--) {
    const v = compute.vertices[t] ?? 0;
    if (leftOut?.isRepeat[t] === 1) {
      const isUnused = valueUsed[v] === 0 && (auxUsed[v] === 0 || memory.auxBytes[v] === 0);
      if (leftOut.once[v] !== 1 && !isUnused) leftOut.isRepeat[t] = 0;
    }
    const kind = leftOut?.isRepeat[t] === 1 ? undefined : compute.kinds[t];
    if (kind === FORWARD) {
      if (valueUsed[v] === 0) frees.push(v);
      valueUsed[v] = 0;
      if (auxUsed[v] === 0 && (memory.auxBytes[v] ?? 0) > 0) freeAuxAfter[t] = 1;
      auxUsed[v] = 0;
      const destroyed = memory.takesOver[v] ?? -1;
      for (let k = predecessorOffsets[v]!; k < predecessorOffsets[v + 1]!; k++) {
        const u = predecessors[k]!;
        if (u === destroyed) valueUsed[u] = 1;
        else use(u);
      }
    } else if (kind === BACKWARD) {
      for (let k = memory.needOffsets[v]!; k < memory.needOffsets[v + 1]!; k++) use(memory.needs[k]!);
      auxUsed[v] = 1;
    } else if (kind === SEND) use(v);
    else if (kind === FETCH) {
      if (valueUsed[v] === 0) frees.push(v);
      valueUsed[v] = 0;
    }
    for (const u of alsoUsed?.get(t) ?? []) use(u);
    ends[t] = frees.length;
  }
  const builder = new ScheduleBuilder(2 * steps);
  for (let t = 0; t < steps; t++) {
    if (leftOut?.isRepeat[t] === 1) continue;
    builder.push(compute.kinds[t] ?? 0, compute.vertices[t] ?? 0);
    if (freeAuxAfter[t] === 1) builder.push(FREE_AUX, compute.vertices[t] ?? 0);
    const [start, end] = [ends[t + 1] ?? 0, ends[t]!];
    if (end - start === 1) builder.push(FREE, frees[start]!);
    else if (end > start)
      for (const u of frees.slice(start, end).sort((a, b) => a - b)) builder.push(FREE, u);
  }
  return builder.build();
}

/** Steps that forward a vertex again, in a graph with operations that run once; undefined in any other. */
function repeatsOf(
  { operations, size }: Graph,
  { kinds, vertices }: Schedule,
): { readonly isRepeat: Uint8Array; readonly once: Uint8Array } | undefined {
  const once = verticesRunOnce(operations);
  if (once === null) return undefined;
  const isForwarded = new Uint8Array(size);
  const isRepeat = new Uint8Array(kinds.length);
  kinds.forEach((kind, t) => {
    const v = vertices[t] ?? 0;
    if (kind !== FORWARD) return;
    isRepeat[t] = isForwarded[v]!;
    isForwarded[v] = 1;
  });
  return { isRepeat, once };
}
