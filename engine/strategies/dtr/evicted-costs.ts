import type { LiveModel } from '../search/live-model.ts';

/** Inputs and consumers of each item. */
type Neighbours = Pick<LiveModel, 'items' | 'ins' | 'inOffsets' | 'outs' | 'outOffsets'>;

/**
 * Extra cost of bringing a tensor back: its evicted neighbours, and theirs. DTR keeps that by a
 * union-find structure in which evicted neighbours share a class with one cost; a tensor that comes back takes its own
 * cost out and leaves the class joined, which is the approximation (Kirisame et al., section 4.1 and appendix C,
 * `h_DTR^eq`). Nearly O(1) an operation.
 */
export class EvictedCosts {
  readonly #near: Neighbours;
  readonly #parent: Int32Array;
  readonly #cost: Float64Array;
  readonly #isEvicted: Uint8Array;
  /** The last question that met a class. */
  readonly #seen: Uint32Array;
  #question = 0;

  constructor(near: Neighbours) {
    const { items } = near;
    this.#near = near;
    this.#parent = Int32Array.from({ length: items }, (_, i) => i);
    this.#cost = new Float64Array(items);
    this.#isEvicted = new Uint8Array(items);
    this.#seen = new Uint32Array(items);
  }

  evict(item: number, cost: number): void {
    // A former class keeps what it held of others.
    this.#isEvicted[item] = 1;
    const own = this.#find(item);
    this.#cost[own] = (this.#cost[own] ?? 0) + cost;
    const { ins, inOffsets, outs, outOffsets } = this.#near;
    this.#joinEvicted(item, ins, inOffsets);
    this.#joinEvicted(item, outs, outOffsets);
  }

  bringBack(item: number, cost: number): void {
    if (this.#isEvicted[item] === 0) return;
    const root = this.#find(item);
    this.#cost[root] = Math.max(0, (this.#cost[root] ?? 0) - cost);
    this.#isEvicted[item] = 0;
  }

  /** Cost of the classes of an item's evicted neighbours, each once. */
  around(item: number): number {
    const { ins, inOffsets, outs, outOffsets } = this.#near;
    this.#question++;
    return this.#sum(item, ins, inOffsets) + this.#sum(item, outs, outOffsets);
  }

  #sum(item: number, list: Int32Array, offsets: Int32Array): number {
    let cost = 0;
    for (let i = offsets[item]!; i < offsets[item + 1]!; i++) {
      const other = list[i]!;
      if (this.#isEvicted[other] === 0) continue;
      const root = this.#find(other);
      if (this.#seen[root] === this.#question) continue;
      this.#seen[root] = this.#question;
      cost += this.#cost[root]!;
    }
    return cost;
  }

  #joinEvicted(item: number, list: Int32Array, offsets: Int32Array): void {
    for (let i = offsets[item]!; i < offsets[item + 1]!; i++)
      if (this.#isEvicted[list[i]!] === 1) this.#join(item, list[i]!);
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
