/**
 * Live bytes over a row of positions, held as changes from each to the next, in blocks of about √positions. A block knows
 * the sum of its changes and the highest point in it: a change makes one block look again, and a pass over all positions
 * looks into those blocks alone that rise above the limit. Bytes are whole numbers, so every order of adding them up
 * gives the same sum.
 * A change takes O(1), `measure` O(√positions) for each block changed since, for the row of blocks and for each block above
 * the limit.
 */
export class BlockedBytes {
  /** The most that was live, after `measure`. */
  peak = 0;
  /** Squares of the bytes above the limit, after `measure`. */
  overflow = 0;
  /** Blocks and positions looked at. */
  looks = 0;
  readonly #start: number;
  readonly #length: number;
  readonly #bits: number;
  readonly #changes: Float64Array;
  /** By position: bytes above what is live, there alone. */
  readonly #above: Float64Array;
  readonly #sums: Float64Array;
  readonly #highest: Float64Array;
  readonly #isStale: Uint8Array;
  readonly #stale: Int32Array;
  #staleCount = 0;
  #peakBlock = 0;

  /** @param start bytes that live before the first position */
  constructor(length: number, start: number) {
    this.#length = length;
    this.#start = start;
    this.#bits = Math.max(4, Math.round(Math.log2(Math.sqrt(length))));
    // A change may take effect after the last position.
    this.#changes = new Float64Array(length + 1);
    this.#above = new Float64Array(length + 1);
    const blocks = (length >> this.#bits) + 1;
    this.#sums = new Float64Array(blocks);
    this.#highest = new Float64Array(blocks);
    this.#isStale = new Uint8Array(blocks);
    this.#stale = new Int32Array(blocks);
    for (let block = 0; block < blocks; block++) this.#touch(block);
  }

  /** Adds to what is live from a position on. */
  change(position: number, bytes: number): void {
    this.#changes[position]! += bytes;
    this.#touch(position >> this.#bits);
  }

  setAbove(position: number, bytes: number): void {
    this.#above[position] = bytes;
    this.#touch(position >> this.#bits);
  }

  /** First position of the peak, after `measure`. */
  get peakPosition(): number {
    let live = this.#start;
    for (let block = 0; block < this.#peakBlock; block++) live += this.#sums[block]!;
    let position = this.#peakBlock << this.#bits;
    for (; position < this.#endOf(this.#peakBlock); position++) {
      live += this.#changes[position]!;
      if (live + this.#above[position]! === this.peak) break;
    }
    return position;
  }

  /** Live bytes by position. */
  values(): Float64Array {
    const values = new Float64Array(this.#length);
    let live = this.#start;
    for (let p = 0; p < values.length; p++) {
      live += this.#changes[p]!;
      values[p] = live + this.#above[p]!;
    }
    return values;
  }

  /**
   * Finds the peak, and adds to `overflow` the squares of the bytes above the limit.
   *
   * @param before what `overflow` begins at
   * @param most ends as soon as the overflow is above, and leaves the peak of before
   */
  measure(limit: number, before: number, most: number): void {
    for (let i = 0; i < this.#staleCount; i++) this.#refresh(this.#stale[i]!);
    this.#staleCount = 0;
    const sums = this.#sums;
    const highest = this.#highest;
    const changes = this.#changes;
    const aboves = this.#above;
    this.looks += sums.length;
    // Adding makes numbers of them: V8 would allocate what begins as anything else at every block.
    let sum = 0 + before;
    let live = 0 + this.#start;
    let peak = Number.NEGATIVE_INFINITY;
    let peakBlock = 0;
    for (let block = 0; block < sums.length; block++) {
      const high = live + highest[block]!;
      if (high > limit) {
        const end = this.#endOf(block);
        this.looks += 1 << this.#bits;
        let there = live;
        for (let p = block << this.#bits; p < end && sum <= most; p++) {
          there += changes[p]!;
          const above = there + aboves[p]! - limit;
          if (above > 0) sum += above * above;
        }
        if (sum > most) {
          this.overflow = sum;
          return;
        }
      }
      if (high > peak) {
        peak = high;
        peakBlock = block;
      }
      live += sums[block]!;
    }
    this.overflow = sum;
    this.peak = peak;
    this.#peakBlock = peakBlock;
  }

  #touch(block: number): void {
    if (this.#isStale[block] === 1) return;
    this.#isStale[block] = 1;
    this.#stale[this.#staleCount++] = block;
  }

  #refresh(block: number): void {
    const changes = this.#changes;
    const aboves = this.#above;
    const end = this.#endOf(block);
    this.looks += 1 << this.#bits;
    let live = 0;
    let highest = Number.NEGATIVE_INFINITY;
    for (let p = block << this.#bits; p < end; p++) {
      live += changes[p]!;
      const held = live + aboves[p]!;
      if (held > highest) highest = held;
    }
    this.#sums[block] = live;
    this.#highest[block] = highest;
    this.#isStale[block] = 0;
  }

  #endOf(block: number): number {
    return Math.min(this.#length, (block + 1) << this.#bits);
  }
}
