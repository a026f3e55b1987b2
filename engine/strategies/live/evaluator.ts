import type { LiveModel } from './live-model.ts';

/** What to keep of an item: bit 0 its value, bit 1 its auxiliary that grows with the batch. */
export const KEEP_VALUE = 1;
export const KEEP_AUX = 2;
export const KEEP_ALL = 3;

/**
 * Live bytes of the lazy schedule (schedule/lazy.ts) of a choice of kept items, without building the
 * schedule: a kept item lives from its forward to its last use; a dropped one again from the backward
 * step that first asks for it. Agrees with the simulator but for the order of releases inside the
 * recomputation before one backward step, where it may say slightly more.
 * One evaluation takes O(V + E) time and no allocation.
 */
export class Evaluator {
  readonly model: LiveModel;
  /** By item: position of the backward step before which it is forwarded again; -1 never. */
  readonly again: Int32Array;
  /** By item: the smallest position (latest time) at which backward still holds it; size: never used. */
  readonly until: Int32Array;
  /** Live bytes at each position in the first forward and in backward. */
  readonly forward: Float64Array;
  readonly backward: Float64Array;
  peak = 0;
  /** Position and phase of the peak. */
  peakPosition = 0;
  peakInForward = false;
  /** Forward work done again. */
  work = 0;
  /** Sum over positions of the bytes above `limit` in the last call. */
  overflow = 0;
  readonly #lastUser: Int32Array;
  readonly #head: Int32Array;
  readonly #next: Int32Array;
  readonly #releaseAfter: Float64Array;

  constructor(model: LiveModel) {
    const size = model.order.length;
    this.model = model;
    this.again = new Int32Array(model.items);
    this.until = new Int32Array(model.items);
    this.forward = new Float64Array(size + 1);
    this.backward = new Float64Array(size + 1);
    this.#lastUser = new Int32Array(model.items);
    this.#head = new Int32Array(size);
    this.#next = new Int32Array(model.items);
    this.#releaseAfter = new Float64Array(model.items);
  }

  /** Evaluates a choice (KEEP_ bits by item); `limit` is what overflow is counted above. Returns the peak. */
  evaluate(keep: Uint8Array, limit = Number.POSITIVE_INFINITY): number {
    this.#lifetimes(keep);
    this.#profiles(keep);
    return this.#measure(limit);
  }

  #lifetimes(keep: Uint8Array): void {
    const { items, maxNeed, minNeed, outOffsets, outs, auxBytes, auxPosition, work } = this.model;
    const { again, until } = this;
    const lastUser = this.#lastUser;
    this.#head.fill(-1);
    this.work = 0;
    for (let item = items - 1; item > 0; item--) {
      let first = maxNeed[item] as number;
      let last = minNeed[item] as number;
      let user = -1;
      const end = outOffsets[item + 1] as number;
      for (let i = outOffsets[item] as number; i < end; i++) {
        const consumer = outs[i] as number;
        const at = again[consumer] as number;
        if (at < 0) continue;
        if (at > first) {
          first = at;
          user = consumer;
        } else if (at === first && consumer > user) user = consumer;
        if (at < last) last = at;
      }
      const kept = keep[item] as number;
      let event = -1;
      if ((kept & KEEP_VALUE) === 0) {
        event = first;
        if ((kept & KEEP_AUX) === 0 && (auxBytes[item] as number) > 0) {
          const position = auxPosition[item] as number;
          if (event < position) {
            event = position;
            user = item;
            if (last > position) last = position;
          }
        }
      } else if ((kept & KEEP_AUX) === 0 && (auxBytes[item] as number) > 0) {
        event = auxPosition[item] as number;
      }
      again[item] = event;
      until[item] = last;
      // Used by other recomputations of the same step alone: released inside it.
      lastUser[item] = last === event && event !== maxNeed[item] ? user : -1;
      if (event >= 0) {
        this.work += work[item] as number;
        this.#next[item] = this.#head[event] as number;
        this.#head[event] = item;
      }
    }
    again[0] = -1;
  }

  #profiles(keep: Uint8Array): void {
    const model = this.model;
    const { items, bytes, created, lastForward, auxBytes, auxPosition, fixedBytes, fixedPosition } = model;
    const { again, until, forward, backward } = this;
    const size = model.order.length;
    forward.fill(0);
    backward.fill(0);
    // Differences: forward counts up from a position, backward down from a position.
    for (let item = 1; item < items; item++) {
      const size0 = bytes[item] as number;
      const start = created[item] as number;
      const event = again[item] as number;
      const last = until[item] as number;
      const value = ((keep[item] as number) & KEEP_VALUE) !== 0;
      forward[start] = (forward[start] as number) + size0;
      if (value && last < size) {
        backward[size - 1] = (backward[size - 1] as number) + size0;
        if (last > 0) backward[last - 1] = (backward[last - 1] as number) - size0;
      } else {
        const stop = (lastForward[item] as number) + 1;
        forward[stop] = (forward[stop] as number) - size0;
        if (!value && event >= 0 && (this.#lastUser[item] as number) < 0) {
          backward[event] = (backward[event] as number) + size0;
          if (last > 0) backward[last - 1] = (backward[last - 1] as number) - size0;
        }
      }
      const grows = auxBytes[item] as number;
      if (grows > 0) {
        const position = auxPosition[item] as number;
        if (event < 0) forward[position] = (forward[position] as number) + grows;
        const from = event < 0 ? size - 1 : Math.max(event, position);
        backward[from] = (backward[from] as number) + grows;
        backward[position - 1] = (backward[position - 1] as number) - grows;
      }
      const fixed = fixedBytes[item] as number;
      if (fixed > 0) {
        const position = fixedPosition[item] as number;
        const renewed = event >= position;
        if (!renewed) forward[position] = (forward[position] as number) + fixed;
        const from = renewed ? event : size - 1;
        backward[from] = (backward[from] as number) + fixed;
        backward[position - 1] = (backward[position - 1] as number) - fixed;
      }
    }
  }

  #measure(limit: number): number {
    const { bytes, gradientsBefore, gradientsAfter, auxBytes, fixedBytes } = this.model;
    const { again, forward, backward } = this;
    const size = this.model.order.length;
    const source = bytes[0] as number;
    let peak = source;
    let overflow = 0;
    this.peakInForward = true;
    this.peakPosition = 0;
    let live = source;
    for (let p = 0; p < size; p++) {
      live += forward[p] as number;
      forward[p] = live;
      if (live > peak) {
        peak = live;
        this.peakPosition = p;
      }
      if (live > limit) overflow += live - limit;
    }
    live = source;
    for (let p = size - 1; p > 0; p--) {
      live += backward[p] as number;
      let most = live + (gradientsAfter[p] as number);
      let item = this.#head[p] as number;
      if (item >= 0) {
        // Replay the recomputation before this step: what it creates joins one by one.
        let sum = 0;
        for (let i = item; i >= 0; i = this.#next[i] as number) {
          if ((this.#lastUser[i] as number) < 0 && !this.#late(i)) sum += bytes[i] as number;
          sum += (auxBytes[i] as number) + (fixedBytes[i] as number);
          this.#releaseAfter[i] = 0;
        }
        let run = live - sum + (gradientsBefore[p] as number);
        for (; item >= 0; item = this.#next[item] as number) {
          run += (bytes[item] as number) + (auxBytes[item] as number) + (fixedBytes[item] as number);
          if (run > most) most = run;
          const user = this.#late(item) ? item : (this.#lastUser[item] as number);
          if (user >= 0 && (again[user] as number) === p) {
            this.#releaseAfter[user] = (this.#releaseAfter[user] as number) + (bytes[item] as number);
          }
          run -= this.#releaseAfter[item] as number;
        }
      }
      backward[p] = most;
      if (most > peak) {
        peak = most;
        this.peakPosition = p;
        this.peakInForward = false;
      }
      if (most > limit) overflow += most - limit;
    }
    this.peak = peak;
    this.overflow = overflow;
    return peak;
  }

  /** Whether an item is forwarded again for its auxiliary alone, its value having been kept and used up. */
  #late(item: number): boolean {
    const event = this.again[item] as number;
    return event >= 0 && event < (this.until[item] as number);
  }
}
