import { BACKWARD, FETCH, FORWARD, type Schedule, SEND } from '../../engine/schedule/schedule.ts';
import type { Graph } from '../../engine/graph/graph.ts';

/** FLOPs of a millisecond on the slowest device there is: plain JavaScript on a busy processor. */
const LEAST_FLOPS_PER_MS = 20_000;
/** Cost of touching one element, in FLOPs. */
const FLOPS_PER_ELEMENT = 10;
/** Kinds of steps that do work; the others only release. */
const LASTING: readonly number[] = [FORWARD, BACKWARD, SEND, FETCH];
/** A step that takes so many times as long as it did before counts as hung. */
const MARGIN = 10;
/** Who waits for a message waits that long anyhow. */
const UNASKED_MS = 120_000;
/** No kernel takes longer than this. */
const MAX_MS = 6 * 3_600_000;
/** Clocks can be coarse. */
const LEAST_MS = 1e-3;
/** Most expected work that a device's queue may hold. */
const QUEUE_MS = 5_000;

export interface PaceOptions {
  /** Says that nothing may be heard for so many milliseconds. */
  readonly announce: (ms: number) => void;
  /** Resolves when the device's queue is empty; absent where kernels run when they are called. */
  readonly finish?: () => Promise<void>;
}

/**
 * How long the steps of a schedule should take: by their work at first, by their last time from then on.
 * Kernels let no message out while they run, so patience is asked for before a step that may take long; a
 * device that works through a queue is waited for now and then, so that done means done.
 */
export class Pace {
  readonly #options: PaceOptions;
  /** Milliseconds, by step. */
  readonly #expected: Float64Array;
  /** Expectation when this iteration began. */
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

  /** Share of the iteration that is done, by expected time. */
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

  /** Asks for patience before a step that is worth it; true if it did. */
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

  /** Waits until the device has done every step so far. */
  async settle(): Promise<void> {
    if (this.#queued.length === 0 || this.#options.finish === undefined) return;
    this.#ask(this.#queuedMs);
    await this.#options.finish();
    // Nobody knows how the time divides among them; by what was expected is as good as any.
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
