import { type Graph, predecessorsOf } from '../graph/graph.ts';
import { type MemoryModel, needsOf } from '../ops/memory-model.ts';
import { insertFrees } from './liveness.ts';
import { BACKWARD, FORWARD, type Schedule, ScheduleBuilder } from './schedule.ts';

/** Decisions of one-level checkpointing; everything else follows. */
export interface OneLevelPlan {
  /** All vertices but the source, in segments; their concatenation is a topological order. */
  readonly segments: readonly (readonly number[])[];
  /** 1 for activations kept from the first forward until their last use. */
  readonly kept: Uint8Array;
  /**
   * True recomputes the last segment like the others (as torch's `checkpoint` around every
   * segment and the papers' measurements do) or goes straight from forward into backward.
   */
  readonly recomputeLast: boolean;
  /** 1 for operations that join what several segments made: outside of all where segments run reentrant. */
  readonly joins?: Uint8Array;
  /** 1 for operations outside of all that is checkpointed: they run once, as the last segment where it is not recomputed. */
  readonly outside?: Uint8Array;
}

/**
 * The one path from a choice of checkpoints to a schedule: forward everything; then, segment by
 * segment from the last, recompute what its backward needs and is not there (on demand, through as
 * many inputs as it takes, so that any choice gives a valid schedule), and run backward in reverse
 * order. Frees follow from liveness. Auxiliaries that do not grow with the batch are kept from the
 * first forward; others of a recomputed segment come from re-forwarding their operation.
 * Time O(k (V + E)) at worst, O(V + E) when the kept activations close every segment.
 */
export function oneLevelSchedule(graph: Graph, memory: MemoryModel, plan: OneLevelPlan): Schedule {
  return insertFrees(graph, memory, oneLevelCompute(graph, memory, plan));
}

/** The forward and backward steps of `oneLevelSchedule`, without the frees. */
export function oneLevelCompute(graph: Graph, memory: MemoryModel, plan: OneLevelPlan): Schedule {
  const segments = graph.keepsOrder ? inGivenOrder(graph, plan.segments) : plan.segments;
  const builder = new ScheduleBuilder();
  const position = new Int32Array(graph.size);
  let next = 1;
  for (const segment of segments) {
    for (const v of segment) {
      position[v] = next++;
      builder.push(FORWARD, v);
    }
  }

  const kept = Uint8Array.from(plan.kept);
  // An activation that an in-place operation takes over is gone even if it was to be kept. Nothing but that operation
  // reads it (memory-model.ts), and code that has the result does not ask for it again.
  for (let v = 1; v < graph.size; v++) {
    const destroyed = memory.takesOver[v] ?? -1;
    if (destroyed > 0) kept[destroyed] = 0;
  }
  const available = kept.slice();
  const auxAvailable = Uint8Array.from(memory.auxBytes, (bytes, v) =>
    bytes === 0 || memory.auxIsFixed[v] === 1 ? 1 : 0,
  );
  const last = segments.length - 1;
  if (!plan.recomputeLast) {
    for (const v of segments[last] ?? []) {
      available[v] = 1;
      auxAvailable[v] = 1;
    }
  }
  plan.outside?.forEach((isOutside, v) => {
    if (isOutside === 0) return;
    available[v] = 1;
    auxAvailable[v] = 1;
  });
  available[0] = 1;

  const wanted = new Uint8Array(graph.size);
  for (let s = last; s >= 0; s--) {
    const segment = segments[s] ?? [];
    const missing: number[] = [];
    const want = (v: number): void => {
      if (wanted[v] === 1) return;
      wanted[v] = 1;
      missing.push(v);
    };
    for (const v of segment) {
      for (const u of needsOf(memory, v)) if (available[u] !== 1) want(u);
      if (auxAvailable[v] !== 1) want(v);
    }
    for (let i = 0; i < missing.length; i++) {
      for (const u of predecessorsOf(graph, missing[i] ?? 0)) if (available[u] !== 1) want(u);
    }
    missing.sort((a, b) => (position[a] ?? 0) - (position[b] ?? 0));
    for (const v of missing) {
      builder.push(FORWARD, v);
      wanted[v] = 0;
      available[v] = 1;
      auxAvailable[v] = 1;
    }
    for (let i = segment.length - 1; i >= 0; i--) builder.push(BACKWARD, segment[i] ?? 0);
  }
  return builder.build();
}

/** The segment of every vertex; -1 for the source. */
export function homesOf(graph: Graph, segments: readonly (readonly number[])[]): Int32Array {
  const home = new Int32Array(graph.size).fill(-1);
  segments.forEach((segment, s) => {
    for (const v of segment) home[v] = s;
  });
  return home;
}

/** Segments whose concatenation is the given order: one that others interrupt becomes several. */
export function inGivenOrder(graph: Graph, segments: readonly (readonly number[])[]): number[][] {
  const home = homesOf(graph, segments);
  const runs: number[][] = [];
  for (let v = 1; v < graph.size; v++) {
    if (v === 1 || home[v] !== home[v - 1]) runs.push([]);
    runs.at(-1)?.push(v);
  }
  return runs;
}
