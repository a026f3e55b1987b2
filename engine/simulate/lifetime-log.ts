/** Kinds of a live tensor; the order of `HOLDER_KINDS`. */
export const INPUT = 0;
export const CHECKPOINT = 1;
export const RECOMPUTED = 2;
export const GRADIENT = 3;
export const AUXILIARY = 4;
export const HOLDER_KINDS = ['input', 'checkpoints', 'recomputed', 'gradients', 'auxiliaries'] as const;

/**
 * The tensors of one training step as parallel arrays, in the order in which they begin. One that is computed
 * again is listed again; tensors without bytes are left out.
 */
export interface Lifetimes {
  /** The operation whose output, gradient or auxiliary it is. An in-place operation takes a storage over: from
   *  then on the tensor is its own. Views have no tensor of their own. */
  readonly vertices: Int32Array;
  /** Index into `HOLDER_KINDS`. */
  readonly holders: Uint8Array;
  readonly bytes: Float64Array;
  /** First and last step whose live bytes count it. */
  readonly first: Int32Array;
  readonly last: Int32Array;
}

/** Gathers lifetimes while a schedule is replayed. Activations are known by their storage, others by vertex. */
export class LifetimeLog {
  readonly #size: number;
  /** Entry that is open for a slot, or -1. */
  readonly #open: Int32Array;
  readonly #vertices: number[] = [];
  readonly #holders: number[] = [];
  readonly #bytes: number[] = [];
  readonly #first: number[] = [];
  readonly #last: number[] = [];

  /** @param size vertices of the graph */
  constructor(size: number) {
    this.#size = size;
    this.#open = new Int32Array(4 * size).fill(-1);
  }

  /** @param name storage of an activation, vertex of anything else */
  begin(holder: number, name: number, vertex: number, bytes: number, step: number): void {
    if (bytes === 0) return;
    this.#open[this.#slot(holder, name)] = this.#vertices.length;
    this.#vertices.push(vertex);
    this.#holders.push(holder);
    this.#bytes.push(bytes);
    this.#first.push(step);
    this.#last.push(step);
  }

  /** A tensor of one step. */
  moment(holder: number, vertex: number, bytes: number, step: number): void {
    const slot = this.#slot(holder, vertex);
    const open = this.#open[slot] ?? -1;
    this.begin(holder, vertex, vertex, bytes, step);
    this.#open[slot] = open;
  }

  /** @param last the last step that counts it; one before its first where it was gone at once */
  end(holder: number, name: number, last: number): void {
    const slot = this.#slot(holder, name);
    const entry = this.#open[slot] ?? -1;
    if (entry < 0) return;
    this.#last[entry] = last;
    this.#open[slot] = -1;
  }

  /** The value in a storage gives way to that of another vertex. */
  rename(storage: number, vertex: number, step: number): void {
    const entry = this.#open[this.#slot(CHECKPOINT, storage)] ?? -1;
    if (entry < 0) return;
    this.end(CHECKPOINT, storage, step - 1);
    this.begin(this.#holders[entry] ?? CHECKPOINT, storage, vertex, this.#bytes[entry] ?? 0, step);
  }

  build(): Lifetimes {
    return {
      vertices: Int32Array.from(this.#vertices),
      holders: Uint8Array.from(this.#holders),
      bytes: Float64Array.from(this.#bytes),
      first: Int32Array.from(this.#first),
      last: Int32Array.from(this.#last),
    };
  }

  #slot(holder: number, name: number): number {
    if (holder === GRADIENT) return name;
    return (holder === AUXILIARY ? this.#size : 2 * this.#size) + name;
  }
}
