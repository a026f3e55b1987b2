/** A map that drops the least recently used entry. */
export class Lru<V> {
  readonly #most: number;
  readonly #values = new Map<string, V>();

  constructor(most: number) {
    this.#most = most;
  }

  /** The value of a key; `make` creates a missing one. Errors of `make` are passed on and not cached. */
  get(key: string, make: () => V): V {
    const known = this.#values.get(key);
    const value = known ?? make();
    // A Map keeps the insertion order: the first key is the least recently used.
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.#most) {
      const [oldest] = this.#values.keys();
      if (oldest !== undefined) this.#values.delete(oldest);
    }
    return value;
  }
}
