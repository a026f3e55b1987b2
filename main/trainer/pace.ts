import { BACKWARD, FETCH, FORWARD, type Schedule, SEND } from '../../engine/schedule/schedule.ts';
import type { Graph } from '../../engine/graph/graph.ts';

/** FLOPs per millisecond on the slowest device: plain JavaScript on a busy processor. */
const LEAST_FLOPS_PER_MS = 20_000;
/** Cost of touching one element, in FLOPs. */
const FLOPS_PER_ELEMENT = 10;
/** Kinds of steps that do work; the others only release. */
const LASTING: readonly number[] = [FORWARD, BACKWARD, SEND, FETCH];
/** A step that takes this many times as long as before counts as hung. */
const MARGIN = 10;
/** Silence that every host tolerates without an announcement. */
const UNASKED_MS = 120_000;
/** No kernel takes longer than this. */
const MAX_MS = 6 * 3_600_000;
/** Least measured time: clocks can be coarse. */
const LEAST_MS = 1e-3;
/** Most expected work in a device's queue. */
const QUEUE_MS = 5_000;

export interface PaceOptions {
  /** Announces silence of up to this many milliseconds. */
  readonly announce: (ms: number) => void;
  /** Resolves when the device's queue is empty; absent if kernels run synchronously. */
  readonly finish?: () => Promise<void>;
}

/**
 * Expected time of a schedule's steps: first by their work, then by their last time. Kernels block messages while they
 * run, so a step that may take long is announced first. A device with a queue is waited for now and then, so that
 * progress is real.
 */
export class Pace {
  readonly #options: PaceOptions;
  /** Milliseconds, by step. */
  readonly #expected: Float64Array;
  /** Expected times when this iteration began. */
  #weights: Float64Array = new Float64Array(0);
  #total = 0;
  #done = 0;
  #queued: number[] = [];
  #queuedMs = 0;
  #queuedSince = 0;

  constructor(graph: Graph, schedule: Schedule, options: PaceOptions) {
    this.#options = options;
    this.#expected = Float64Array.from(schedule.kinds, (kind, t) => {
      const v = schedule.vertices[t] ?? 0;
      if (!LASTING.includes(kind)) return 0;
      const flops = (kind === FORWARD ? graph.flops[v] : kind === BACKWARD ? graph.backwardFlops[v] : 0) ?? 0;
      return (flops + FLOPS_PER_ELEMENT * ((graph.bytes[v] ?? 0) / 4)) / LEAST_FLOPS_PER_MS;
    });
  }

  /** Finished share of the iteration, by expected time. */
  get share(): number {
    return this.#total > 0 ? this.#done / this.#total : 0;
  }

  begin(): void {
    this.#weights = this.#expected.slice();
    this.#total = this.#weights.reduce((sum, ms) => sum + ms, 0);
    this.#done = 0;
    this.#queued = [];
    this.#queuedMs = 0;
  }

  /** Announces a step that may take long; true if it did. */
  before(t: number): boolean {
    if (this.#queued.length === 0) this.#queuedSince = performance.now();
    return this.#ask(this.#expected[t] ?? 0);
  }

  async after(t: number, ms: number): Promise<void> {
    const expected = this.#expected[t] ?? 0;
    if (expected === 0) return;
    if (this.#options.finish === undefined) {
      this.#done += this.#weights[t] ?? 0;
      this.#expected[t] = Math.max(ms, LEAST_MS);
      return;
    }
    this.#queued.push(t);
    this.#queuedMs += expected;
    if (this.#queuedMs > QUEUE_MS) await this.settle();
  }

  /** Waits until the device has finished every step so far. */
  async settle(): Promise<void> {
    if (this.#queued.length === 0 || this.#options.finish === undefined) return;
    this.#ask(this.#queuedMs);
    await this.#options.finish();
    // The time of each step is unknown, so it is divided by expectation.
    const scale = (performance.now() - this.#queuedSince) / this.#queuedMs;
    for (const t of this.#queued) {
      this.#done += this.#weights[t] ?? 0;
      this.#expected[t]! *= scale;
    }
    this.#queued = [];
    this.#queuedMs = 0;
  }

  #ask(expectedMs: number): boolean {
    const allowed = Math.min(MARGIN * expectedMs, MAX_MS);
    if (allowed <= UNASKED_MS) return false;
    this.#options.announce(allowed);
    return true;
  }
}
