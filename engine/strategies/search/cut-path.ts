import { type KeepEncoding, KEEP_ALL, KEEP_VALUE } from './keep-encoding.ts';
import type { SearchLimit } from './search-limit.ts';
import type { LiveModel } from './live-model.ts';
import { indices, sortByKey } from '../../typed-arrays.ts';

/** A long order has cuts at so many places, so that a path of them takes time linear in its length. */
const MOST_CUTS = 2 ** 15;

/**
 * Cuts of one topological order. A cut at position c keeps its boundary: every item created up to c
 * that a later forward or a later backward uses. Between two cuts everything is recomputed at once
 * before the backward of the later one. Since a value that crosses two neighbouring cuts is in both
 * boundaries, what is kept when a segment (i, j] runs backward is a sum along the path of cuts, so the
 * least bytes kept at a cut say all that matters about the cuts before it, and the cuts of least peak
 * are a shortest path once a limit on the peak is given: a segment is an edge where its own peak, on
 * top of the least kept bytes, is within the limit.
 *
 * All sums over (i, j] are updated in O(1) when j grows, so one limit takes O(V²) time, less with the
 * pruning of segments that are too large, and O(V) space.
 */
export class CutPath {
  readonly #model: LiveModel;
  /** 1 where a cut does not fall between an in-place operation and the tensor it takes over. */
  readonly #allowed: Uint8Array;
  /** Last position that uses an item, forward or backward. */
  readonly #lastUse: Int32Array;
  /** By position: bytes of items created there; of those, how many some backward needs. */
  readonly #createdBytes: Float64Array;
  readonly #firstNeedBytes: Float64Array;
  readonly #lastUseBytes: Float64Array;
  readonly #scratchEnd: Float64Array;
  readonly #auxUpTo: Float64Array;
  readonly #fixedUpTo: Float64Array;
  /** Items created at position p: createdItems[createdOffsets[p] .. createdOffsets[p+1]). */
  readonly #createdOffsets: Int32Array;
  readonly #createdItems: Int32Array;
  readonly #kept: Float64Array;
  readonly #previous: Int32Array;
  readonly #lastSum: Float64Array;
  readonly #needSum: Float64Array;
  readonly #scratchSum: Float64Array;

  /** @param mostCuts places of cuts in an order that is longer */
  constructor(model: LiveModel, mostCuts = MOST_CUTS) {
    const size = model.order.length;
    const { items, created, final, lastForward, maxNeed, minNeed, bytes } = model;
    this.#model = model;
    this.#allowed = new Uint8Array(size).fill(1);
    this.#lastUse = new Int32Array(items);
    this.#createdBytes = new Float64Array(size);
    this.#firstNeedBytes = new Float64Array(size + 1);
    this.#lastUseBytes = new Float64Array(size + 1);
    this.#scratchEnd = new Float64Array(size + 1);
    this.#auxUpTo = new Float64Array(size);
    this.#fixedUpTo = new Float64Array(size);
    // The source is kept throughout.
    const { sorted, offsets } = sortByKey(created, size, indices(items).subarray(1));
    this.#createdItems = sorted;
    this.#createdOffsets = offsets;
    this.#kept = new Float64Array(size);
    this.#previous = new Int32Array(size);
    this.#lastSum = new Float64Array(size + 1);
    this.#needSum = new Float64Array(size + 1);
    this.#scratchSum = new Float64Array(size + 1);
    for (let item = 1; item < items; item++) {
      const from = created[item]!;
      const held = bytes[item]!;
      for (let p = from; p < final[item]!; p++) this.#allowed[p] = 0;
      this.#lastUse[item] = Math.max(lastForward[item]!, maxNeed[item]!);
      this.#createdBytes[from]! += held;
      this.#lastUseBytes[this.#lastUse[item]!]! += held;
      if (minNeed[item]! < size) this.#firstNeedBytes[minNeed[item]!]! += held;
      else this.#scratchEnd[lastForward[item]!]! += held;
      if (model.auxPosition[item]! >= 0) this.#auxUpTo[model.auxPosition[item]!]! += model.auxBytes[item]!;
      if (model.fixedPosition[item]! >= 0) {
        this.#fixedUpTo[model.fixedPosition[item]!]! += model.fixedBytes[item]!;
      }
    }
    for (let p = 1; p < size; p++) {
      this.#auxUpTo[p]! += this.#auxUpTo[p - 1]!;
      this.#fixedUpTo[p]! += this.#fixedUpTo[p - 1]!;
    }
    if (size > mostCuts) this.#thin(Math.ceil(size / mostCuts));
  }

  /** Allows one cut in each run of positions: the one of the fewest bytes in its boundary. */
  #thin(run: number): void {
    const size = this.#allowed.length;
    let [held, least, at] = [0, Number.POSITIVE_INFINITY, -1];
    for (let p = 0; p < size - 1; p++) {
      held += this.#createdBytes[p]! - this.#lastUseBytes[p]!;
      const isFewer = p > 0 && this.#allowed[p] === 1 && held < least;
      this.#allowed[p] = 0;
      if (isFewer) [least, at] = [held, p];
      if (p % run !== run - 1) continue;
      if (at >= 0) this.#allowed[at] = 1;
      [least, at] = [Number.POSITIVE_INFINITY, -1];
    }
  }

  /**
   * Cut positions of a path within `limit` that keeps the least bytes; null if none exists, or where the search
   * may not go on.
   */
  cutsWithin(limit: number, search: SearchLimit): number[] | null {
    const model = this.#model;
    const size = model.order.length;
    const last = size - 1;
    const { minNeed, lastForward, bytes, gradientsBefore, gradientsAfter } = model;
    const kept = this.#kept.fill(Number.POSITIVE_INFINITY);
    const previous = this.#previous.fill(-1);
    const lastSum = this.#lastSum.fill(0);
    const needSum = this.#needSum.fill(0);
    const scratchSum = this.#scratchSum.fill(0);
    const allowed = this.#allowed;
    const createdBytes = this.#createdBytes;
    const lastUseBytes = this.#lastUseBytes;
    const firstNeedBytes = this.#firstNeedBytes;
    const scratchEnd = this.#scratchEnd;
    const auxUpTo = this.#auxUpTo;
    const fixedUpTo = this.#fixedUpTo;
    kept[0] = bytes[0]!;
    let reached = 0;
    for (let i = 0; i < last; i++) {
      if (i > reached) return null;
      for (let k = this.#createdOffsets[i]!; k < this.#createdOffsets[i + 1]!; k++) {
        const item = this.#createdItems[k]!;
        lastSum[this.#lastUse[item]!]! += bytes[item]!;
        if (minNeed[item]! < size) needSum[minNeed[item]!]! += bytes[item]!;
        else scratchSum[lastForward[item]!]! += bytes[item]!;
      }
      const base = kept[i]!;
      if (base >= limit) continue;
      let boundary = 0;
      let saved = 0;
      let run = 0;
      let mostRun = 0;
      let mostBackward = 0;
      let j = i + 1;
      for (; j < size; j++) {
        boundary += createdBytes[j]! - (lastUseBytes[j]! - lastSum[j]!);
        saved += firstNeedBytes[j]! - needSum[j]!;
        run += createdBytes[j]!;
        if (run > mostRun) mostRun = run;
        run -= scratchEnd[j]! - scratchSum[j]!;
        const extra = base + auxUpTo[j]! - auxUpTo[i]! + fixedUpTo[j]!;
        const backward = saved + extra + gradientsAfter[j]!;
        if (backward > mostBackward) {
          mostBackward = backward;
          if (backward > limit) break;
        }
        if (allowed[j] === 0 || mostRun + extra + gradientsBefore[j]! > limit) continue;
        const total = base + boundary;
        if (total < kept[j]!) {
          kept[j] = total;
          previous[j] = i;
          if (j > reached) reached = j;
        }
      }
      if (search.look(j - i)) return null;
    }
    if (previous[last] === -1) return null;
    const cuts: number[] = [];
    for (let j = previous[last]!; j > 0; j = previous[j]!) cuts.push(j);
    return cuts.reverse();
  }

  /** Encoding of a path of cuts: the boundaries, and everything after the last cut. */
  keepOf(cuts: readonly number[]): KeepEncoding {
    const { items, created } = this.#model;
    const keep = new Int32Array(items);
    keep[0] = KEEP_ALL;
    const lastCut = cuts[cuts.length - 1] ?? 0;
    for (let item = 1; item < items; item++) {
      if (created[item]! > lastCut) keep[item] = KEEP_ALL;
    }
    // By position: the first cut there or later.
    const next = new Int32Array(lastCut + 1);
    for (let p = lastCut, at = cuts.length - 1; p >= 0; p--) {
      if (at > 0 && cuts[at - 1]! >= p) at--;
      next[p] = cuts[at] ?? lastCut;
    }
    for (let item = 1; item < items; item++) {
      const from = created[item]!;
      if (from <= lastCut && this.#lastUse[item]! > next[from]!) keep[item] = keep[item]! | KEEP_VALUE;
    }
    return keep;
  }
}
