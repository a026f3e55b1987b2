/**
 * Extra cost of bringing a tensor back: its evicted neighbours, and theirs. DTR keeps that by a
 * union-find structure in which evicted neighbours share a class with one cost; a tensor that comes back takes its own
 * cost out and leaves the class joined, which is the approximation (Kirisame et al., section 4.1 and appendix C,
 * `h_DTR^eq`). Nearly O(1) an operation.
 */
export class EvictedCosts {
  readonly #parent: Int32Array;
  readonly #cost: Float64Array;
  readonly #isEvicted: Uint8Array;

  constructor(items: number) {
    this.#parent = Int32Array.from({ length: items }, (_, i) => i);
    this.#cost = new Float64Array(items);
    this.#isEvicted = new Uint8Array(items);
  }

  evict(item: number, cost: number, neighbours: Iterable<number>): void {
    // A former class keeps what it held of others.
    this.#isEvicted[item] = 1;
    const own = this.#find(item);
    this.#cost[own] = (this.#cost[own] ?? 0) + cost;
    for (const other of neighbours) if (this.#isEvicted[other] === 1) this.#join(item, other);
  }

  bringBack(item: number, cost: number): void {
    if (this.#isEvicted[item] === 0) return;
    const root = this.#find(item);
    this.#cost[root] = Math.max(0, (this.#cost[root] ?? 0) - cost);
    this.#isEvicted[item] = 0;
  }

  /** Classes of a tensor's evicted neighbours, each once. */
  around(neighbours: Iterable<number>): number {
    const seen: number[] = [];
    let cost = 0;
    for (const other of neighbours) {
      if (this.#isEvicted[other] === 0) continue;
      const root = this.#find(other);
      if (seen.includes(root)) continue;
      seen.push(root);
      cost += this.#cost[root] ?? 0;
    }
    return cost;
  }

  #find(item: number): number {
    let root = item;
    while (this.#parent[root] !== root) root = this.#parent[root]!;
    for (let at = item; at !== root; ) {
      const next = this.#parent[at]!;
      this.#parent[at] = root;
      at = next;
    }
    return root;
  }

  #join(a: number, b: number): void {
    const [one, two] = [this.#find(a), this.#find(b)];
    if (one === two) return;
    this.#parent[two] = one;
    this.#cost[one] = (this.#cost[one] ?? 0) + (this.#cost[two] ?? 0);
  }
}
