import type { Graph } from './graph.ts';

/** Milliseconds on some device, indexed by vertex; 0 for the source. */
export interface OperationTimes {
  /** The first forward of a step, which may have to pack new parameters. */
  readonly firstMs: Float64Array;
  /** Any further forward. */
  readonly againMs: Float64Array;
  readonly backwardMs: Float64Array;
}

/**
 * The same graph with nanoseconds in place of FLOPs, so that strategies minimise recompute time on that
 * device. What only the first forward costs counts as backward, which is not recomputed either.
 */
export function timedGraph(graph: Graph, { firstMs, againMs, backwardMs }: OperationTimes): Graph {
  const nanoseconds = (ms: number): number => Math.max(0, Math.round(1e6 * ms));
  return {
    ...graph,
    flops: againMs.map(nanoseconds),
    backwardFlops: backwardMs.map((ms, v) => nanoseconds(ms + (firstMs[v] ?? 0) - (againMs[v] ?? 0))),
  };
}
