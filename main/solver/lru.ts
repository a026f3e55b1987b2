/** A map that forgets what was not asked for longest. */
export class Lru<V> {
  readonly #most: number;
  readonly #values = new Map<string, V>();

  constructor(most: number) {
    this.#most = most;
  }

  /** The value of a key; made when it is not there. What `make` throws is passed on and not kept. */
  get(key: string, make: () => V): V {
    const known = this.#values.get(key);
    const value = known ?? make();
    // A Map keeps the order of insertion: the first key is the one asked for longest ago.
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.#most) {
      const [oldest] = this.#values.keys();
      if (oldest !== undefined) this.#values.delete(oldest);
    }
    return value;
  }
}
