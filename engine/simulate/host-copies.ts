import { type Graph, idOf } from '../graph/graph.ts';
import type { Place } from './place.ts';

/** Host memory of a schedule. Bytes. */
export interface HostMemory {
  /** Bytes there, one entry a step: each copy from its send to the last fetch of it, both included. */
  readonly bytes: Float64Array;
  readonly peakBytes: number;
  /** Traffic to host memory in one training step, and back. */
  readonly sentBytes: number;
  readonly fetchedBytes: number;
}

/** The copies of activations in host memory while a schedule is replayed (SPEC M18 to M20). */
export class HostCopies {
  readonly #graph: Graph;
  readonly #place: Place;
  /** Step of the send of v, or -1; of the last fetch of it so far, or -1. */
  readonly #sent: Int32Array;
  readonly #fetched: Int32Array;
  readonly #bytes: Float64Array;
  #sentBytes = 0;
  #fetchedBytes = 0;
  #isUsed = false;

  constructor(graph: Graph, place: Place) {
    this.#graph = graph;
    this.#place = place;
    this.#sent = new Int32Array(graph.size).fill(-1);
    this.#fetched = new Int32Array(graph.size).fill(-1);
    this.#bytes = new Float64Array(graph.size);
  }

  send(v: number, bytes: number): void {
    if (this.#sent[v] !== -1) this.#place.refuse('it is in host memory already');
    this.#sent[v] = this.#place.step;
    this.#bytes[v] = bytes;
    this.#sentBytes += bytes;
    this.#isUsed = true;
  }

  /** @returns bytes of what comes back */
  fetch(v: number): number {
    if (this.#sent[v] === -1) this.#place.refuse('it was not sent to host memory');
    this.#fetched[v] = this.#place.step;
    const bytes = this.#bytes[v] ?? 0;
    this.#fetchedBytes += bytes;
    return bytes;
  }

  /** Undefined where nothing was sent. Time O(V + steps). */
  finish(steps: number): HostMemory | undefined {
    if (!this.#isUsed) return undefined;
    const bytes = new Float64Array(steps + 1);
    for (let v = 1; v < this.#graph.size; v++) {
      if (this.#sent[v] === -1) continue;
      if (this.#fetched[v] === -1) {
        this.#place.incomplete(`${idOf(this.#graph, v)} is sent to host memory and never fetched`);
      }
      bytes[this.#sent[v] ?? 0]! += this.#bytes[v] ?? 0;
      bytes[(this.#fetched[v] ?? 0) + 1]! -= this.#bytes[v] ?? 0;
    }
    let peakBytes = 0;
    for (let t = 1; t < steps; t++) bytes[t]! += bytes[t - 1]!;
    for (let t = 0; t < steps; t++) peakBytes = Math.max(peakBytes, bytes[t]!);
    return {
      bytes: bytes.subarray(0, steps),
      peakBytes,
      sentBytes: this.#sentBytes,
      fetchedBytes: this.#fetchedBytes,
    };
  }
}
