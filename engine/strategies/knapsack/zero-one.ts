/**
 * The 0/1 knapsack by dynamic programming, for every capacity at once: which things to take for the largest value.
 * Of sets of equal value that without the later things is taken. Time and space O(things x capacity).
 */
export class ZeroOneKnapsack {
  readonly #weights: readonly number[];
  readonly #most: number;
  /** True when item i is taken at capacity c: [i x (most + 1) + c]. */
  readonly #taken: Uint8Array;

  /**
   * @param weights non-negative integers
   * @param values not negative
   * @param most the largest capacity that will be asked for
   */
  constructor(weights: readonly number[], values: readonly number[], most: number) {
    this.#weights = weights;
    this.#most = most;
    this.#taken = new Uint8Array(weights.length * (most + 1));
    const best = new Float64Array(most + 1);
    weights.forEach((weight, i) => {
      const row = i * (most + 1);
      for (let c = most; c >= weight; c--) {
        const value = best[c - weight]! + values[i]!;
        if (value <= best[c]!) continue;
        best[c] = value;
        this.#taken[row + c] = 1;
      }
    });
  }

  /** Places of the things taken, rising. */
  within(capacity: number): number[] {
    const taken: number[] = [];
    let left = Math.min(capacity, this.#most);
    for (let i = this.#weights.length - 1; i >= 0; i--) {
      if (this.#taken[i * (this.#most + 1) + left] !== 1) continue;
      taken.push(i);
      left -= this.#weights[i]!;
    }
    return taken.reverse();
  }
}
