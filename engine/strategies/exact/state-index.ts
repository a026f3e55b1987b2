const FIRST_SLOTS = 1 << 10;

/**
 * Numbers from 0 for the states of a search in the order in which they are met; a state is known by an integer below
 * 2^53. Open addressing, at most half full.
 */
export class StateIndex {
  #slots = new Int32Array(FIRST_SLOTS).fill(-1);
  #keys: number[] = [];

  get size(): number {
    return this.#keys.length;
  }

  /** The number of a state, or -1 where it was not met. */
  find(key: number): number {
    return this.#slots[this.#slotOf(key)]!;
  }

  /** The number of a state, a new one where it was not met. */
  add(key: number): number {
    const slot = this.#slotOf(key);
    const known = this.#slots[slot]!;
    if (known >= 0) return known;
    const index = this.#keys.length;
    this.#slots[slot] = index;
    this.#keys.push(key);
    if (2 * this.#keys.length > this.#slots.length) this.#grow();
    return index;
  }

  #slotOf(key: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const high = Math.floor(key / 0x1_0000_0000);
    let slot = Math.imul((key | 0) ^ Math.imul(high, 0x9e37_79b1), 0x85eb_ca6b);
    slot = (slot ^ (slot >>> 15)) & mask;
    for (;;) {
      const index = slots[slot]!;
      if (index < 0 || this.#keys[index] === key) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    this.#slots = new Int32Array(2 * this.#slots.length).fill(-1);
    this.#keys.forEach((key, index) => {
      this.#slots[this.#slotOf(key)] = index;
    });
  }
}
