import { type Graph, predecessorsOf } from '../graph/graph.ts';
import type { MemoryModel } from '../ops/memory-model.ts';
import { insertFrees } from './liveness.ts';
import { BACKWARD, FORWARD, type Schedule, ScheduleBuilder } from './schedule.ts';

/** Decisions of a schedule that recomputes each tensor at most once, as late as possible. */
export interface LazyPlan {
  /** A topological order of all vertices but the source; backward runs in its reverse. */
  readonly order: ArrayLike<number>;
  /** By vertex: 1 for activations kept from the first forward until their last use. */
  readonly kept: Uint8Array;
  /** By vertex: 1 where an auxiliary that grows with the batch is kept from the first forward too. */
  readonly keptAux: Uint8Array;
  /**
   * By vertex: what is kept serves only backward steps above this place in `order` (counted from 1) and
   * is recomputed for the others; 0 keeps it to its last use.
   */
  readonly expiry: Int32Array;
}

/**
 * The schedule of a lazy plan: forward everything; then, vertex by vertex in reverse order, recompute
 * what the next backward step needs and is not there (through as many inputs as it takes), and run it.
 * A recomputed tensor stays until its last use, so no vertex is forwarded more than twice.
 * Time O(V log V + E), space O(V + E).
 */
export function lazySchedule(graph: Graph, memory: MemoryModel, plan: LazyPlan): Schedule {
  return insertFrees(graph, memory, lazyCompute(graph, memory, plan));
}

/** The forward and backward steps of `lazySchedule`, without the frees. */
export function lazyCompute(graph: Graph, memory: MemoryModel, plan: LazyPlan): Schedule {
  const { order, kept, keptAux, expiry } = plan;
  // No vertex is forwarded more than twice, and each runs backward.
  const builder = new ScheduleBuilder(3 * order.length);
  const position = new Int32Array(graph.size);
  for (let p = 0; p < order.length; p++) {
    const v = order[p] ?? 0;
    position[v] = p + 1;
    builder.push(FORWARD, v);
  }
  const available = Uint8Array.from(kept);
  available[0] = 1;
  // An activation that an in-place operation took over is gone even if it was to be kept. Nothing but that operation
  // reads it (memory-model.ts), and code that has the result does not ask for it again.
  for (const destroyed of memory.takesOver) if (destroyed > 0) available[destroyed] = 0;
  const auxAvailable = new Uint8Array(graph.size);
  for (let v = 0; v < graph.size; v++) {
    const free = memory.auxBytes[v] === 0 || memory.auxIsFixed[v] === 1;
    auxAvailable[v] = free || keptAux[v] === 1 ? 1 : 0;
  }

  const expiring = new Map<number, number[]>();
  for (let v = 1; v < graph.size; v++) {
    if (kept[v] !== 1 || expiry[v]! === 0) continue;
    const others = expiring.get(expiry[v]!);
    if (others === undefined) expiring.set(expiry[v]!, [v]);
    else others.push(v);
  }

  const again = new Uint8Array(graph.size);
  const wanted = new Uint8Array(graph.size);
  const missing: number[] = [];
  const want = (u: number): void => {
    if (wanted[u] === 1) return;
    wanted[u] = 1;
    missing.push(u);
  };
  for (let p = order.length - 1; p >= 0; p--) {
    const v = order[p] ?? 0;
    for (const u of expiring.get(p + 1) ?? []) if (again[u] === 0) available[u] = 0;
    missing.length = 0;
    for (let k = memory.needOffsets[v]!; k < memory.needOffsets[v + 1]!; k++) {
      const u = memory.needs[k]!;
      if (available[u] !== 1) want(u);
    }
    if (auxAvailable[v] !== 1) want(v);
    for (let i = 0; i < missing.length; i++) {
      for (const u of predecessorsOf(graph, missing[i] ?? 0)) if (available[u] !== 1) want(u);
    }
    if (missing.length > 1) missing.sort((a, b) => (position[a] ?? 0) - (position[b] ?? 0));
    for (const u of missing) {
      builder.push(FORWARD, u);
      wanted[u] = 0;
      again[u] = 1;
      available[u] = 1;
      auxAvailable[u] = 1;
    }
    builder.push(BACKWARD, v);
  }
  return builder.build();
}
