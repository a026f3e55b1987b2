import { type KeepEncoding, expiryOf, KEEP_AUX, KEEP_VALUE } from './keep-encoding.ts';
import type { LiveModel } from './live-model.ts';
import { BlockedBytes } from './blocked-bytes.ts';
import { ChangeRecord } from './change-record.ts';

/** Work of finding an item's lifetime. */
const LIFETIME_LOOKS = 16;
/** Columns of the record of a change. */
const [AGAIN, UNTIL, UNTIL_AGAIN, LAST_USER] = [0, 1, 2, 3] as const;

/**
 * Live bytes of the lazy schedule (schedule/lazy.ts) of what is kept, without building the schedule: a
 * kept value lives from its forward to its last use or its expiry, what is recomputed from the backward
 * step that first asks for it. Agrees with the simulator but for the order of releases inside the
 * recomputation before one backward step, where it may say slightly more.
 * What is kept changes item by item: a change touches only the item, the inputs whose recomputation it moves,
 * and the groups of recomputations at the positions concerned. Lifetimes are ranges of positions. Bytes are moved
 * once they are asked for: a change that its work alone rules out moves none.
 * A change takes O(items whose recomputation moves · degree), `measure` what BlockedBytes says: O(√V) where few
 * positions are above the limit.
 */
export class ByteCurve {
  readonly model: LiveModel;
  /** By item: position of the backward step before which it is recomputed; -1 never. */
  readonly again: Int32Array;
  /** By item: the smallest position at which backward uses what the first forward made; size: none. */
  readonly until: Int32Array;
  readonly keep: KeepEncoding;
  /** Forward work done again. */
  work = 0;
  peak = 0;
  peakInForward = false;
  readonly #size: number;
  #looks = 0;
  /** By item: the smallest position that uses what was recomputed. */
  readonly #untilAgain: Int32Array;
  /** By item: the last recomputation of the same step that uses it, where nothing else does; else -1. */
  readonly #lastUser: Int32Array;
  readonly #forward: BlockedBytes;
  /** In the order of time: from the last position down to the first after the source. */
  readonly #backward: BlockedBytes;
  readonly #head: Int32Array;
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  readonly #dirtyItem: Uint8Array;
  readonly #dirtyGroup: Uint8Array;
  readonly #groups: Int32Array;
  #groupCount = 0;
  readonly #releaseAfter: Float64Array;
  /** The items of the last change, with their lifetimes and choices of before. */
  readonly #record: ChangeRecord;
  #workBefore = 0;
  /** True when the bytes are those of before. */
  #isPending = false;

  constructor(model: LiveModel, keep: KeepEncoding) {
    const size = model.order.length;
    const { items } = model;
    this.model = model;
    this.#size = size;
    this.keep = new Int32Array(items);
    this.again = new Int32Array(items).fill(-1);
    this.until = new Int32Array(items).fill(size);
    this.#untilAgain = new Int32Array(items).fill(size);
    this.#lastUser = new Int32Array(items).fill(-1);
    this.#forward = new BlockedBytes(size, model.bytes[0]!);
    this.#backward = new BlockedBytes(size - 1, model.bytes[0]!);
    model.besideBytes?.forEach((bytes, p) => {
      this.#forward.setAbove(p, bytes);
    });
    model.gradientsAfter.forEach((bytes, p) => {
      this.#backward.setAbove(size - 1 - p, bytes);
    });
    this.#head = new Int32Array(size).fill(-1);
    this.#next = new Int32Array(items).fill(-1);
    this.#previous = new Int32Array(items).fill(-1);
    this.#dirtyItem = new Uint8Array(items);
    this.#dirtyGroup = new Uint8Array(size);
    this.#groups = new Int32Array(size);
    this.#releaseAfter = new Float64Array(items);
    this.#record = new ChangeRecord([this.again, this.until, this.#untilAgain, this.#lastUser, this.keep]);
    for (let item = items - 1; item > 0; item--) {
      this.keep[item] = keep[item]!;
      this.#lifetime(item);
      this.#forward.change(model.created[item]!, model.bytes[item]!);
      this.#holdFirst(item, 1, this.until[item]!);
      this.#holdAgain(item, 1, this.again[item]!, this.#untilAgain[item]!, this.#lastUser[item]!);
      this.#holdAuxiliaries(item, 1, this.again[item]!);
      if (this.again[item]! >= 0) {
        this.work += model.work[item]!;
        this.#join(item);
      }
    }
    this.keep[0] = keep[0]!;
    this.#refreshGroups();
  }

  /** Changes what is kept of one item. */
  set(item: number, choice: number): void {
    this.#begin();
    if (this.keep[item] === choice) return;
    this.#change(item, choice);
    this.#renew(item);
  }

  /** Changes what is kept of two different items, in one pass. */
  setTwo(item: number, choice: number, other: number, otherChoice: number): void {
    this.#begin();
    this.#change(item, choice);
    this.#change(other, otherChoice);
    this.#renew(Math.max(item, other));
  }

  /** Changes what is kept of some items, in one pass. */
  setEach(items: readonly number[], choices: readonly number[]): void {
    this.#begin();
    let last = 0;
    items.forEach((item, i) => {
      this.#change(item, choices[i]!);
      if (item > last) last = item;
    });
    this.#renew(last);
  }

  /** Changes what is kept of many, in one pass. */
  setAll(keep: KeepEncoding): void {
    this.#begin();
    let last = 0;
    for (let item = 1; item < keep.length; item++) {
      if (this.keep[item] === keep[item]) continue;
      this.#change(item, keep[item]!);
      last = item;
    }
    this.#renew(last);
  }

  /** Undoes the last change: a second time it redoes it. */
  undo(): void {
    this.#record.swap();
    const { work } = this;
    this.work = this.#workBefore;
    this.#workBefore = work;
    this.#isPending = !this.#isPending;
  }

  /** Begins a change. */
  #begin(): void {
    this.#settle();
    this.#record.clear();
    this.#workBefore = this.work;
  }

  #change(item: number, choice: number): void {
    this.#record.add(item);
    this.#dirtyItem[item] = 1;
    this.keep[item] = choice;
  }

  /** Finds the lifetimes of the items recorded, the last of them first, and of those that they move. */
  #renew(last: number): void {
    const { inOffsets, ins, work } = this.model;
    const record = this.#record;
    const dirty = this.#dirtyItem;
    let done = 0;
    for (let i = last; done < record.count; i--) {
      if (dirty[i] === 0) continue;
      dirty[i] = 0;
      done++;
      this.#looks += LIFETIME_LOOKS;
      const before = this.again[i]!;
      this.#lifetime(i);
      const after = this.again[i]!;
      if (before === after) continue;
      if (before < 0) this.work += work[i]!;
      if (after < 0) this.work -= work[i]!;
      const end = inOffsets[i + 1]!;
      for (let k = inOffsets[i]!; k < end; k++) {
        const input = ins[k]!;
        if (input === 0 || dirty[input] === 1) continue;
        dirty[input] = 1;
        record.add(input);
      }
    }
    this.#isPending = done > 0;
  }

  /** Moves the bytes of the items of the last change from where they were held to where they are. */
  #settle(): void {
    if (!this.#isPending) return;
    this.#isPending = false;
    const record = this.#record;
    for (let place = 0; place < record.count; place++) {
      const i = record.item(place);
      const before = record.before(place, AGAIN);
      const firstBefore = record.before(place, UNTIL);
      const untilBefore = record.before(place, UNTIL_AGAIN);
      const userBefore = record.before(place, LAST_USER);
      const after = this.again[i]!;
      if (firstBefore !== this.until[i]) {
        this.#holdFirst(i, -1, firstBefore);
        this.#holdFirst(i, 1, this.until[i]!);
      }
      const isMoved = before !== after;
      if (isMoved || untilBefore !== this.#untilAgain[i] || userBefore !== this.#lastUser[i]) {
        this.#holdAgain(i, -1, before, untilBefore, userBefore);
        this.#holdAgain(i, 1, after, this.#untilAgain[i]!, this.#lastUser[i]!);
      }
      if (isMoved) {
        this.#holdAuxiliaries(i, -1, before);
        this.#holdAuxiliaries(i, 1, after);
        if (before >= 0) {
          this.#leave(i, before);
          this.#touch(before);
        }
        if (after >= 0) this.#join(i);
      } else if (after >= 0 && this.#lastUser[i] !== userBefore) {
        this.#touch(after);
      }
    }
    this.#refreshGroups();
  }

  /** True when the peak is within a limit; leaves the figures of `measure`. */
  fits(limit: number): boolean {
    this.measure(limit);
    return this.peak <= limit;
  }

  /**
   * Finds the peak; returns the cost above `limit`, the sum of the squares of the bytes above it at each position.
   *
   * @param most ends as soon as the cost is above, which it returns as far as it came: the peak is that of before
   */
  measure(limit: number, most = Number.POSITIVE_INFINITY): number {
    this.#settle();
    const forward = this.#forward;
    const backward = this.#backward;
    forward.measure(limit, 0, most);
    if (forward.overflow > most) return forward.overflow;
    backward.measure(limit, forward.overflow, most);
    if (backward.overflow > most) return backward.overflow;
    this.peakInForward = forward.peak >= backward.peak;
    this.peak = this.peakInForward ? forward.peak : backward.peak;
    return backward.overflow;
  }

  /** Position of the peak after `measure`. */
  get peakPosition(): number {
    return this.peakInForward ? this.#forward.peakPosition : this.#size - 1 - this.#backward.peakPosition;
  }

  /** Live bytes by position. */
  get forward(): Float64Array {
    this.#settle();
    return this.#forward.values();
  }

  /** Live bytes at the backward step of each position; none at the source's, which has no such step. */
  get backward(): Float64Array {
    this.#settle();
    const values = new Float64Array(this.#size);
    values.set(this.#backward.values());
    return values.reverse();
  }

  /** Work since this was last asked: items and positions looked at. */
  takeLooks(): number {
    const looks = this.#looks + this.#forward.looks + this.#backward.looks;
    this.#looks = 0;
    this.#forward.looks = 0;
    this.#backward.looks = 0;
    return looks;
  }

  /** When an item is recomputed and last used, from its consumers and its own choice. */
  #lifetime(item: number): void {
    const { needOffsets, needPositions, outOffsets, outs, auxBytes, auxPosition } = this.model;
    const again = this.again;
    const choice = this.keep[item]!;
    const renewsAux = (choice & KEEP_AUX) === 0 && auxBytes[item]! > 0;
    let expiry = (choice & KEEP_VALUE) === 0 ? this.#size : expiryOf(choice);
    // Forwarding it again for its auxiliary ends the first value too.
    if (renewsAux && auxPosition[item]! > expiry) expiry = auxPosition[item]!;
    let until = this.#size;
    let event = -1;
    let untilAgain = this.#size;
    let needed = false;
    for (let k = needOffsets[item]!; k < needOffsets[item + 1]!; k++) {
      const at = needPositions[k]!;
      if (at > expiry) {
        if (at < until) until = at;
        continue;
      }
      if (at > event) {
        event = at;
        needed = true;
      }
      if (at < untilAgain) untilAgain = at;
    }
    let user = -1;
    const end = outOffsets[item + 1]!;
    for (let k = outOffsets[item]!; k < end; k++) {
      const consumer = outs[k]!;
      const at = again[consumer]!;
      if (at < 0) continue;
      if (at > expiry) {
        if (at < until) until = at;
        continue;
      }
      if (at > event) {
        event = at;
        user = consumer;
        needed = false;
      } else if (at === event && consumer > user) user = consumer;
      if (at < untilAgain) untilAgain = at;
    }
    if (renewsAux) {
      const at = auxPosition[item]!;
      if (at > event) {
        event = at;
        user = item;
        needed = false;
      }
      if (at < untilAgain && !(needed && at === event)) untilAgain = Math.min(untilAgain, at);
    }
    again[item] = event;
    this.until[item] = until;
    this.#untilAgain[item] = untilAgain;
    this.#lastUser[item] = untilAgain === event && !needed ? user : -1;
  }

  /** Adds (sign 1) or takes away (-1) what the first forward made, from its last use in forward on. */
  #holdFirst(item: number, sign: number, until: number): void {
    const held = sign * this.model.bytes[item]!;
    if (until < this.#size) this.#holdInBackward(this.#size - 1, until, held);
    else this.#forward.change(this.model.lastHeld[item]! + 1, -held);
  }

  /** The same for what was recomputed. */
  #holdAgain(item: number, sign: number, event: number, until: number, lastUser: number): void {
    if (event >= 0 && lastUser < 0) this.#holdInBackward(event, until, sign * this.model.bytes[item]!);
  }

  /** The same for its auxiliaries. */
  #holdAuxiliaries(item: number, sign: number, event: number): void {
    const { auxBytes, auxPosition, fixedBytes, fixedPosition } = this.model;
    const last = this.#size - 1;
    if (auxBytes[item]! > 0) {
      const grows = sign * auxBytes[item]!;
      const position = auxPosition[item]!;
      if (event < 0) this.#forward.change(position, grows);
      this.#holdInBackward(event < 0 ? last : Math.max(event, position), position, grows);
    }
    if (fixedBytes[item]! > 0) {
      const fixed = sign * fixedBytes[item]!;
      const position = fixedPosition[item]!;
      if (event < position) this.#forward.change(position, fixed);
      this.#holdInBackward(event < position ? last : event, position, fixed);
    }
  }

  /** Adds to what is live in backward between two positions, both included. */
  #holdInBackward(from: number, to: number, bytes: number): void {
    const last = this.#size - 1;
    this.#backward.change(last - from, bytes);
    this.#backward.change(last - to + 1, -bytes);
  }

  /** Puts an item into the ascending list of its group. */
  #join(item: number): void {
    const at = this.again[item]!;
    const next = this.#next;
    let before = -1;
    let after = this.#head[at]!;
    while (after >= 0 && after < item) {
      before = after;
      after = next[after]!;
    }
    next[item] = after;
    this.#previous[item] = before;
    if (before < 0) this.#head[at] = item;
    else next[before] = item;
    if (after >= 0) this.#previous[after] = item;
    this.#touch(at);
  }

  #leave(item: number, at: number): void {
    const before = this.#previous[item]!;
    const after = this.#next[item]!;
    if (before < 0) this.#head[at] = after;
    else this.#next[before] = after;
    if (after >= 0) this.#previous[after] = before;
  }

  #touch(position: number): void {
    if (this.#dirtyGroup[position] === 1) return;
    this.#dirtyGroup[position] = 1;
    this.#groups[this.#groupCount++] = position;
  }

  /** Replays the recomputations before a step: how far they reach above what is live at the step itself. */
  #refreshGroups(): void {
    const { bytes, auxBytes, fixedBytes, gradientsBefore, gradientsAfter } = this.model;
    for (let g = 0; g < this.#groupCount; g++) {
      const position = this.#groups[g]!;
      this.#dirtyGroup[position] = 0;
      const head = this.#head[position]!;
      let run = 0;
      for (let i = head; i >= 0; i = this.#next[i]!) {
        if (this.#lastUser[i]! < 0) run -= bytes[i]!;
        run -= auxBytes[i]! + fixedBytes[i]!;
        this.#releaseAfter[i] = 0;
      }
      let most = Number.NEGATIVE_INFINITY;
      for (let i = head; i >= 0; i = this.#next[i]!) {
        run += bytes[i]! + auxBytes[i]! + fixedBytes[i]!;
        if (run > most) most = run;
        const user = this.#lastUser[i]!;
        if (user >= 0 && this.again[user] === position) this.#releaseAfter[user]! += bytes[i]!;
        run -= this.#releaseAfter[i]!;
      }
      const above = Math.max(gradientsAfter[position]!, gradientsBefore[position]! + most);
      this.#backward.setAbove(this.#size - 1 - position, above);
    }
    this.#groupCount = 0;
  }
}
