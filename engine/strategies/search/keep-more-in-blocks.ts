import type { SearchLimit } from './search-limit.ts';
import type { ByteCurve } from './byte-curve.ts';
import { KEEP_ALL } from './keep-encoding.ts';

/**
 * As `keepMoreWithin`, for graphs on which one pass over all positions for each item is too much: items that cannot fit
 * are passed over by what is free where they would live (`Room`), the others are tried in blocks, twice as large after
 * one that fits and a quarter after one that does not. Of items of the same work per byte those that are made last come
 * first, because they die first. O(V) for each block tried.
 */
export function keepMoreInBlocks(curve: ByteCurve, limit: number, search: SearchLimit): void {
  const { items, work, bytes, auxBytes } = curve.model;
  const density = (item: number): number => work[item]! / (bytes[item]! + auxBytes[item]! + 1);
  const dropped: number[] = [];
  for (let item = 1; item < items; item++) if (curve.again[item]! >= 0) dropped.push(item);
  dropped.sort((a, b) => density(b) - density(a) || b - a);
  curve.measure(limit);
  const room = new Room(curve, limit);
  // One that does not fit is lost work.
  const longest = Math.max(1, items >> 5);
  let length = 1;
  for (let at = 0; at < dropped.length; ) {
    const block = dropped
      .slice(at, at + length)
      .filter((item) => curve.again[item]! >= 0 && curve.keep[item] !== KEEP_ALL && room.mayHold(item));
    if (search.look(length + curve.takeLooks())) {
      search.leave('values', at, dropped.length);
      return;
    }
    if (block.length === 0) {
      at += length;
      continue;
    }
    const least = curve.work;
    curve.setEach(
      block,
      block.map(() => KEEP_ALL),
    );
    curve.measure(limit);
    if (curve.peak <= limit && curve.work < least) {
      room.refresh();
      search.look(2 * items);
      at += length;
      length = Math.min(2 * length, longest);
      continue;
    }
    curve.undo();
    if (length === 1) at++;
    length = Math.max(1, length >> 2);
  }
}

/** Bytes that are free over stretches of the step, as the curve was last measured. */
class Room {
  readonly #curve: ByteCurve;
  readonly #limit: number;
  /** By position: the most that lives there or later in forward, there or earlier in backward. */
  readonly #forward: Float64Array;
  readonly #backward: Float64Array;

  constructor(curve: ByteCurve, limit: number) {
    const size = curve.model.order.length;
    this.#curve = curve;
    this.#limit = limit;
    this.#forward = new Float64Array(size + 1);
    this.#backward = new Float64Array(size + 1);
    this.refresh();
  }

  refresh(): void {
    const { forward, backward } = this.#curve;
    for (let p = forward.length - 1; p >= 0; p--) {
      this.#forward[p] = Math.max(this.#forward[p + 1]!, forward[p]!);
      this.#backward[p] = Math.max(this.#backward[p + 1]!, backward[p]!);
    }
  }

  /**
   * True when a recomputed value could live from its recompute up to there. What is kept for that recompute
   * alone may go instead.
   */
  mayHold(item: number): boolean {
    const { again, until, keep, model } = this.#curve;
    const event = again[item]!;
    // It serves some uses already.
    if (until[item]! < model.order.length) return true;
    let most = this.#limit - model.bytes[item]!;
    for (let k = model.inOffsets[item]!; k < model.inOffsets[item + 1]!; k++) {
      const input = model.ins[k]!;
      if (input > 0 && keep[input] !== 0 && until[input] === event) most += model.bytes[input]!;
    }
    return this.#forward[model.lastHeld[item]! + 1]! <= most && this.#backward[event + 1]! <= most;
  }
}
