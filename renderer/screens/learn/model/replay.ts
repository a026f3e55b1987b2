import { type Graph, predecessorsOf } from '../../../../engine/graph/graph.ts';
import type { MemoryModel } from '../../../../engine/ops/memory-model.ts';
import {
  BACKWARD,
  FETCH,
  FORWARD,
  FREE,
  FREE_AUX,
  type Schedule,
  SEND,
} from '../../../../engine/schedule/schedule.ts';

export interface HeldBytes {
  readonly source: number;
  readonly kept: number;
  readonly recomputed: number;
  readonly gradients: number;
  readonly auxiliaries: number;
}

/**
 * Follows a schedule that the simulator has accepted and tells which tensors are live, which the simulator
 * counts but does not name. One `advance` a step; what is read in between is the state at the simulator's
 * instant: after the step's allocations and before its releases. Time O(steps + uses), space O(V).
 */
export class Replay {
  /** Storage that holds the value of v, or -1; a storage is named by the vertex that allocated it. */
  readonly storage: Int32Array;
  readonly storageBytes: Float64Array;
  /** 1 for storages that a recompute allocated. */
  readonly storageRecomputed: Uint8Array;
  readonly readers: Int32Array;
  readonly auxiliaryLive: Uint8Array;
  /** Bytes of the gradient of v's output, or -1 where there is none. */
  readonly gradientBytes: Float64Array;
  readonly forwards: Int32Array;
  #step = -1;
  readonly #graph: Graph;
  readonly #memory: MemoryModel;
  readonly #sentBytes: Float64Array;
  readonly #schedule: Schedule;

  constructor(graph: Graph, memory: MemoryModel, schedule: Schedule) {
    const { size } = graph;
    this.#graph = graph;
    this.#memory = memory;
    this.#schedule = schedule;
    this.storage = new Int32Array(size).fill(-1);
    this.storageBytes = new Float64Array(size);
    this.#sentBytes = new Float64Array(size);
    this.storageRecomputed = new Uint8Array(size);
    this.readers = new Int32Array(size);
    this.auxiliaryLive = new Uint8Array(size);
    this.gradientBytes = new Float64Array(size).fill(-1);
    this.forwards = new Int32Array(size);
    this.storage[0] = 0;
    this.readers[0] = 1;
    this.storageBytes[0] = memory.outputBytes[0]!;
  }

  /** The last step taken; -1 before the first. */
  get step(): number {
    return this.#step;
  }

  /** Takes the next step; false when there is none. */
  advance(): boolean {
    const { kinds, vertices } = this.#schedule;
    if (this.#step + 1 >= kinds.length) return false;
    if (kinds[this.#step] === BACKWARD) this.#release(vertices[this.#step]!);
    this.#step += 1;
    const v = vertices[this.#step]!;
    const kind = kinds[this.#step];
    if (kind === FORWARD) this.#forward(v);
    else if (kind === BACKWARD) this.#backward(v);
    else if (kind === FREE) this.#free(v);
    else if (kind === SEND) this.#sentBytes[v] = this.storageBytes[this.storage[v]!]!;
    else if (kind === FETCH) this.#allocate(v, this.#sentBytes[v]!, 0);
    else if (kind === FREE_AUX) this.auxiliaryLive[v] = 0;
    return true;
  }

  goTo(step: number): void {
    while (this.#step < step && this.advance());
  }

  held(): HeldBytes {
    let kept = 0;
    let recomputed = 0;
    let gradients = 0;
    let auxiliaries = 0;
    for (let v = 0; v < this.#graph.size; v++) {
      if (v > 0 && this.readers[v]! > 0) {
        if (this.storageRecomputed[v] === 1) recomputed += this.storageBytes[v]!;
        else kept += this.storageBytes[v]!;
      }
      gradients += Math.max(0, this.gradientBytes[v]!);
      if (this.auxiliaryLive[v] === 1) auxiliaries += this.#memory.auxBytes[v]!;
    }
    return { source: this.storageBytes[0]!, kept, recomputed, gradients, auxiliaries };
  }

  #forward(v: number): void {
    const { takesOver, viewOf, outputBytes, auxBytes } = this.#memory;
    if (takesOver[v]! >= 0) {
      this.storage[v] = this.storage[takesOver[v]!]!;
      this.storage[takesOver[v]!] = -1;
    } else if (viewOf[v]! >= 0) {
      this.storage[v] = this.storage[viewOf[v]!]!;
      this.readers[this.storage[v]!]! += 1;
    } else {
      this.#allocate(v, outputBytes[v]!, this.forwards[v]! > 0 ? 1 : 0);
    }
    if (auxBytes[v]! > 0) this.auxiliaryLive[v] = 1;
    this.forwards[v]! += 1;
  }

  /** A tensor fetched from host memory was kept, not recomputed. */
  #allocate(v: number, bytes: number, recomputed: 0 | 1): void {
    const place = this.readers[v] === 0 ? v : this.readers.lastIndexOf(0);
    this.storage[v] = place;
    this.readers[place] = 1;
    this.storageBytes[place] = bytes;
    this.storageRecomputed[place] = recomputed;
  }

  #backward(v: number): void {
    const { viewOf, gradientBytes } = this.#memory;
    if (v === this.#graph.size - 1) this.gradientBytes[v] = gradientBytes[v]!;
    for (const u of predecessorsOf(this.#graph, v)) {
      if (u === 0 || this.gradientBytes[u]! >= 0) continue;
      if (viewOf[v] === u && gradientBytes[v] === gradientBytes[u]) {
        // The gradient of a view is the same storage under another shape.
        this.gradientBytes[u] = this.gradientBytes[v]!;
        this.gradientBytes[v] = 0;
      } else {
        this.gradientBytes[u] = gradientBytes[u]!;
      }
    }
  }

  #release(v: number): void {
    this.gradientBytes[v] = -1;
    this.auxiliaryLive[v] = 0;
  }

  #free(v: number): void {
    this.readers[this.storage[v]!]! -= 1;
    this.storage[v] = -1;
  }
}
