import { type Graph, predecessorsOf, successorsOf } from '../graph/graph.ts';
import type { MemoryModel } from '../ops/memory-model.ts';
import { insertFrees } from './liveness.ts';
import { homesOf, inGivenOrder, type OneLevelPlan } from './one-level.ts';
import {
  BACKWARD,
  FORWARD,
  FREE_GRADIENT,
  HOLD_GRADIENT,
  type Schedule,
  ScheduleBuilder,
} from './schedule.ts';

type Segments = readonly (readonly number[])[];

/**
 * Segments as `torch.utils.checkpoint(use_reentrant=True)` runs them (SPEC, M12 to M17), one after another: the first
 * forward keeps what one segment reads of another and nothing else; in backward a segment is recomputed as a
 * whole, and until its backward has ended its inputs, its recomputed outputs and their gradients are held. The source
 * requires a gradient, which stays to the end of the step. Operations that join segments, and a last segment that is
 * not recomputed, run as without checkpointing.
 *
 * Time and space O(V + E).
 *
 * Departures: a segment that would overwrite an input of its own runs as one with the segment that made it, and with
 * all between the two.
 */
export function reentrantSchedule(graph: Graph, memory: MemoryModel, plan: OneLevelPlan): Schedule {
  const isPlain = plainOf(graph, plan);
  const given = graph.keepsOrder ? inGivenOrder(graph, plan.segments) : plan.segments;
  const segments = joined(graph, memory, given, isPlain);
  const home = homesOf(graph, segments);
  const builder = new ScheduleBuilder();
  for (const segment of segments) for (const v of segment) builder.push(FORWARD, v);
  const sourceHasGradient = memory.sourceGradientBytes > 0;
  if (sourceHasGradient) builder.push(HOLD_GRADIENT, 0);
  const held = new Map<number, readonly number[]>();
  for (let s = segments.length - 1; s >= 0; s--) {
    const segment = segments[s] ?? [];
    const backward = segment.toReversed();
    if (isPlain(segment)) {
      for (const v of backward) builder.push(BACKWARD, v);
      continue;
    }
    const isOutside = (u: number): boolean => home[u] !== s;
    const outputs = segment.filter((v) => v === graph.size - 1 || successorsOf(graph, v).some(isOutside));
    const inputs = segment.flatMap((v) => [...predecessorsOf(graph, v).filter(isOutside)]);
    for (const v of segment) builder.push(FORWARD, v);
    for (const v of outputs) builder.push(HOLD_GRADIENT, v);
    for (const v of backward) builder.push(BACKWARD, v);
    held.set(builder.length, [...inputs, ...outputs]);
    for (const v of outputs) builder.push(FREE_GRADIENT, v);
  }
  if (sourceHasGradient) builder.push(FREE_GRADIENT, 0);
  return insertFrees(graph, memory, builder.build(), held);
}

/** True for a segment that runs outside of checkpointing. */
function plainOf(graph: Graph, plan: OneLevelPlan): (segment: readonly number[]) => boolean {
  const plain = plan.joins?.slice() ?? new Uint8Array(graph.size);
  plan.outside?.forEach((isOutside, v) => {
    if (isOutside === 1) plain[v] = 1;
  });
  if (!plan.recomputeLast) for (const v of plan.segments.at(-1) ?? []) plain[v] = 1;
  return (segment) => segment.every((v) => plain[v] === 1);
}

/** Segments of which no recomputed one takes over the storage of what another made: those become one. */
function joined(
  graph: Graph,
  memory: MemoryModel,
  segments: Segments,
  isPlain: (segment: readonly number[]) => boolean,
): Segments {
  const home = homesOf(graph, segments);
  /** Last first, and so are the segments of each. */
  const runs: (readonly number[])[][] = [];
  /** The first segment that the run at hand must reach. */
  let until = segments.length;
  for (let s = segments.length - 1; s >= 0; s--) {
    const segment = segments[s] ?? [];
    if (until <= s) runs.at(-1)?.push(segment);
    else {
      runs.push([segment]);
      until = s;
      if (isPlain(segment)) continue;
    }
    for (const v of segment) {
      const from = memory.takesOver[v] ?? -1;
      if (from > 0) until = Math.min(until, home[from] ?? s);
    }
  }
  return runs.reverse().map((parts) => parts.reverse().flat());
}
