import type { HostMemory } from './host-copies.ts';

/** The bytes of one training step, sampled at every step of a schedule (SPEC M5). */
export interface Series {
  /** Live bytes after the step's allocations and before its releases (a free: after it). */
  readonly live: Float64Array;
  /** The same, by what holds them. Their sum and the source are `live`. */
  readonly checkpoints: Float64Array;
  readonly recomputed: Float64Array;
  readonly gradients: Float64Array;
  readonly auxiliaries: Float64Array;
}

/** Bytes and work of one training step. */
export interface Totals {
  /** Bytes of the source, which is stored throughout. */
  readonly source: number;
  readonly peakBytes: number;
  /** First step at which the peak is reached. */
  readonly peakStep: number;
  /** First backward step, or what is recomputed or fetched for it; the steps before it are the first forward. */
  readonly backwardStart: number;
  /** Live bytes at the end of the first forward: what is kept for backward, input batch included. */
  readonly savedBytes: number;
  /** FLOPs of one forward; bytes written where the graph gives no FLOPs. */
  readonly forwardWork: number;
  readonly recomputeWork: number;
  readonly backwardWork: number;
  /** Forward work done again / forward work of one step. */
  readonly recomputeFraction: number;
  /** Number of forward steps beyond the first of each vertex. */
  readonly recomputedVertices: number;
  /** Its host memory; absent where a schedule sends nothing there. */
  readonly host?: HostMemory;
}

export interface Timeline extends Series, Totals {}
