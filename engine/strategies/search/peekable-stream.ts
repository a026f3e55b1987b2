import type { Rng } from '../../rng.ts';

/** A stream whose next number can be looked at before it is taken. */
export class PeekableStream implements Rng {
  readonly #rng: Rng;
  #seen = -1;

  constructor(rng: Rng) {
    this.#rng = rng;
  }

  peek(): number {
    if (this.#seen < 0) this.#seen = this.#rng.next();
    return this.#seen;
  }

  next(): number {
    const next = this.peek();
    this.#seen = -1;
    return next;
  }

  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }
}
