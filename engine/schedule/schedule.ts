import { type Graph, idOf } from '../graph/graph.ts';

/**
 * A schedule is data: the list of steps of one training step. `forward v` a second time is a
 * recompute; `free` releases the activation of v, `free-aux` what forward v kept besides. From `hold-gradient v`
 * on the gradient of v, once it is there, outlives backward v (that of the source is made at all), until
 * `free-gradient v` releases it. `send v` copies the activation of v to host memory, `fetch v` brings it back after
 * a `free v` (SPEC M18 to M20).
 */
export const STEP_KINDS = [
  'forward',
  'backward',
  'free',
  'free-aux',
  'hold-gradient',
  'free-gradient',
  'send',
  'fetch',
] as const;
export const FORWARD = 0;
export const BACKWARD = 1;
export const FREE = 2;
export const FREE_AUX = 3;
export const HOLD_GRADIENT = 4;
export const FREE_GRADIENT = 5;
export const SEND = 6;
export const FETCH = 7;

/** Parallel arrays: step i does STEP_KINDS[kinds[i]] to vertex vertices[i]. */
export interface Schedule {
  readonly kinds: Uint8Array;
  readonly vertices: Int32Array;
}

export class ScheduleBuilder {
  #kinds: Uint8Array<ArrayBuffer>;
  #vertices: Int32Array<ArrayBuffer>;
  #length = 0;

  /** @param expected number of steps; it grows where there are more */
  constructor(expected = 256) {
    this.#kinds = new Uint8Array(expected);
    this.#vertices = new Int32Array(expected);
  }

  push(kind: number, vertex: number): void {
    if (this.#length === this.#kinds.length) {
      const [kinds, vertices] = [this.#kinds, this.#vertices];
      this.#kinds = new Uint8Array(2 * this.#length + 16);
      this.#kinds.set(kinds);
      this.#vertices = new Int32Array(2 * this.#length + 16);
      this.#vertices.set(vertices);
    }
    this.#kinds[this.#length] = kind;
    this.#vertices[this.#length++] = vertex;
  }

  get length(): number {
    return this.#length;
  }

  build(): Schedule {
    return { kinds: this.#kinds.slice(0, this.#length), vertices: this.#vertices.slice(0, this.#length) };
  }
}

/** True if a schedule offloads: copies activations to host memory and back. */
export function hasTransfers({ kinds }: Schedule): boolean {
  return kinds.includes(SEND) || kinds.includes(FETCH);
}

/** `forward layer1.0.conv1`, for messages and play-back. */
export function describeStep(graph: Graph, schedule: Schedule, step: number): string {
  const kind = STEP_KINDS[schedule.kinds[step] ?? 0] ?? 'forward';
  return `${kind} ${idOf(graph, schedule.vertices[step] ?? 0)}`;
}
