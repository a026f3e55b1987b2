import { type Graph, idOf, successorsOf } from '../graph/graph.ts';
import { handsOver, type MemoryModel, momentaryBytes } from '../ops/memory-model.ts';
import { GRADIENT, type LifetimeLog } from './lifetime-log.ts';
import type { Place } from './place.ts';

/** The gradients of activations while a schedule is replayed (SPEC M4, M6, M12, M13). */
export class Gradients {
  readonly #graph: Graph;
  readonly #memory: MemoryModel;
  readonly #place: Place;
  readonly #log: LifetimeLog | undefined;
  /** Storage that holds the gradient of v, or -1; named by the vertex for which it was allocated. */
  readonly #gradient: Int32Array;
  /** Number of gradients in a storage: a sum's inputs share one, a held one may with that of what it is a view of. */
  readonly #readers: Int32Array;
  readonly #held: Uint8Array;
  readonly #backwarded: Uint8Array;
  #bytes = 0;
  /** Part of these that only the running backward holds. */
  #momentary = 0;

  constructor(graph: Graph, memory: MemoryModel, place: Place, log: LifetimeLog | undefined) {
    this.#graph = graph;
    this.#memory = memory;
    this.#place = place;
    this.#log = log;
    this.#gradient = new Int32Array(graph.size).fill(-1);
    this.#readers = new Int32Array(graph.size);
    this.#held = new Uint8Array(graph.size);
    this.#backwarded = new Uint8Array(graph.size);
  }

  get bytes(): number {
    return this.#bytes;
  }

  hasRunBackward(v: number): boolean {
    return this.#backwarded[v] === 1;
  }

  hold(v: number): void {
    if (this.#held[v] === 1) this.#place.refuse('its gradient is already held');
    if (v === 0 && this.#bytesOf(0) === 0) this.#place.refuse('the source has no gradient');
    if (v === 0) {
      for (const w of successorsOf(this.#graph, 0)) {
        if (this.#backwarded[w] !== 1) continue;
        this.#place.refuse(
          `comes too late: ${idOf(this.#graph, w)}, which contributes to it, has run backward`,
        );
      }
    } else if (this.#backwarded[v] === 1) this.#place.refuse('comes too late: its backward has already run');
    this.#held[v] = 1;
  }

  free(v: number): void {
    if (this.#held[v] !== 1) this.#place.refuse('its gradient is not held');
    if (!this.#hasPassed(v)) this.#place.refuse('comes too early: its gradient is still needed for backward');
    this.#held[v] = 0;
    this.#release(v, this.#place.step - 1);
  }

  /** The gradient of the target, with which backward starts. */
  start(target: number): void {
    this.#allocate(target);
  }

  /** Backward v starts: its own gradient must be complete, those of its inputs are there from now on. */
  requireComplete(v: number): void {
    const { successors, successorOffsets } = this.#graph;
    for (let k = successorOffsets[v]!; k < successorOffsets[v + 1]!; k++) {
      const w = successors[k]!;
      if (this.#backwarded[w] !== 1) {
        this.#place.refuse(`its gradient is not complete: ${idOf(this.#graph, w)} has not run backward`);
      }
    }
  }

  allocateForInputs(v: number): void {
    const { predecessors, predecessorOffsets } = this.#graph;
    let allocated = 0;
    let replaced = 0;
    for (let k = predecessorOffsets[v]!; k < predecessorOffsets[v + 1]!; k++) {
      const u = predecessors[k]!;
      if (u === 0 && this.#held[0] !== 1) continue;
      if ((this.#gradient[u] ?? -1) >= 0) replaced += this.#add(u);
      else if (handsOver(this.#memory, v, u)) this.#share(v, u);
      else allocated += this.#allocate(u);
    }
    const momentary = momentaryBytes(this.#memory, v, allocated);
    this.#momentary = momentary + replaced;
    this.#bytes += this.#momentary;
    this.#log?.moment(GRADIENT, v, momentary, this.#place.step);
  }

  endBackward(v: number): void {
    this.#bytes -= this.#momentary;
    if (this.#held[v] !== 1) this.#release(v, this.#place.step);
    this.#backwarded[v] = 1;
  }

  finish(): void {
    for (let v = 0; v < this.#graph.size; v++) {
      if (this.#held[v] !== 1) continue;
      this.#place.incomplete(`the gradient of ${idOf(this.#graph, v)} is held and never freed`);
    }
  }

  /** Bytes of the gradient of v, held ones of the source included. */
  #bytesOf(v: number): number {
    return (v === 0 ? this.#memory.sourceGradientBytes : this.#memory.gradientBytes[v]) ?? 0;
  }

  /** Backward v has run; that of the source when all its consumers have. */
  #hasPassed(v: number): boolean {
    if (v > 0) return this.#backwarded[v] === 1;
    return successorsOf(this.#graph, 0).every((w) => this.#backwarded[w] === 1);
  }

  #allocate(v: number): number {
    const bytes = this.#bytesOf(v);
    this.#gradient[v] = v;
    this.#readers[v] = 1;
    this.#bytes += bytes;
    this.#log?.begin(GRADIENT, v, v, bytes, this.#place.step);
    return bytes;
  }

  /** @param last the last step in which it counts */
  #release(v: number, last: number): void {
    const storage = this.#gradient[v] ?? -1;
    if (storage === -1) return;
    this.#gradient[v] = -1;
    const readers = (this.#readers[storage] ?? 0) - 1;
    this.#readers[storage] = readers;
    if (readers > 0) return;
    this.#bytes -= this.#bytesOf(storage);
    this.#log?.end(GRADIENT, storage, last);
  }

  #share(v: number, u: number): void {
    const storage = this.#gradient[v] ?? -1;
    this.#gradient[u] = storage;
    this.#readers[storage] = (this.#readers[storage] ?? 0) + 1;
    if (this.#readers[storage] === 2 && this.#held[v] !== 1) {
      // From now on it is the gradient of u alone.
      const { step } = this.#place;
      this.#log?.end(GRADIENT, storage, step - 1);
      this.#log?.begin(GRADIENT, storage, u, this.#bytesOf(storage), step);
    }
  }

  /**
   * A second gradient is added in place, but not in a storage that another one is in as well, or that it fills in part.
   * Returns the bytes that are free after this step.
   */
  #add(u: number): number {
    const storage = this.#gradient[u] ?? -1;
    if (this.#readers[storage] === 1 && this.#bytesOf(storage) === this.#bytesOf(u)) return 0;
    const before = this.#bytes;
    this.#release(u, this.#place.step);
    const freed = before - this.#bytes;
    this.#allocate(u);
    return freed;
  }
}
