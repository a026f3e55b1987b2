import type { Rng } from '../../rng.ts';
import { expiryOf, KEEP_ALL, KEEP_VALUE, keepUntil } from './keep-encoding.ts';
import type { ByteCurve } from './byte-curve.ts';
import { type RepeatedItems, repeatedItems } from './repeated-items.ts';

/** Share of moves that shift to an item close by, and how far close is. */
const SHIFTS = 0.8;
const SHIFT_SPAN = 10;
/** Share of moves that keep a value for the first of its uses in backward only. */
const EXPIRIES = 0.15;
/** Most items on each side of the first that is copied, as a power of two. */
const COPY_BITS = 7;

/**
 * Random changes of what a curve keeps, one at a time: keep or drop an item, shift to one close by, keep one for some of
 * its uses, or do with a stretch of items as with another like it.
 */
export class NeighbourMoves {
  readonly #curve: ByteCurve;
  readonly #rng: Rng;
  readonly #copies: number;
  readonly #repeated: RepeatedItems | null;
  /** Items that the last move changed, each with its encoding of before. */
  #moved: readonly number[] = [];
  /** The same of all moves taken since the mark. */
  readonly #changed: number[] = [];

  /** @param copies share of moves that copy a stretch, where there is another like it */
  constructor(curve: ByteCurve, rng: Rng, copies = 0) {
    this.#curve = curve;
    this.#rng = rng;
    this.#copies = copies;
    this.#repeated = copies > 0 ? repeatedItems(curve.model) : null;
  }

  propose(): void {
    const curve = this.#curve;
    const rng = this.#rng;
    const { keep } = curve;
    if (this.#repeated !== null && rng.next() < this.#copies && this.#copy(this.#repeated)) return;
    const { items, auxBytes, needOffsets, needPositions } = curve.model;
    const first = 1 + rng.below(items - 1);
    const before = keep[first]!;
    this.#moved = [first, before];
    const from = needOffsets[first]!;
    const uses = needOffsets[first + 1]! - from;
    if (uses > 1 && rng.next() < EXPIRIES) {
      // Any use but the first, which is at the largest position.
      curve.set(first, keepUntil(needPositions[from + rng.below(uses - 1)]!));
      return;
    }
    const change = auxBytes[first]! > 0 ? 1 + rng.below(KEEP_ALL) : KEEP_ALL;
    const choice = before ^ change;
    const near = rng.next() < SHIFTS ? first + rng.below(2 * SHIFT_SPAN + 1) - SHIFT_SPAN : first;
    // Keeping one for dropping the other, never both at once.
    if (near <= 0 || near >= items || near === first || ((keep[near]! ^ choice) & KEEP_VALUE) !== 0) {
      curve.set(first, choice);
      return;
    }
    this.#moved = [first, before, near, keep[near]!];
    curve.setTwo(first, choice, near, keep[near]! ^ KEEP_ALL);
  }

  /** Does with items around one as with those around another of its kind; false where that changes nothing. */
  #copy({ kindOf, sorted, offsets }: RepeatedItems): boolean {
    const { keep, model } = this.#curve;
    const rng = this.#rng;
    const to = 1 + rng.below(model.items - 1);
    const kind = kindOf[to]!;
    const from = sorted[offsets[kind]! + rng.below(offsets[kind + 1]! - offsets[kind]!)]!;
    const most = 2 ** (1 + rng.below(COPY_BITS));
    if (from === to) return false;
    let [first, end] = [to - 1, to + 1];
    while (first > 0 && to - first <= most && kindOf[first] === kindOf[first + from - to]) first--;
    while (end < model.items && end - to <= most && kindOf[end] === kindOf[end + from - to]) end++;
    const copyOf = (item: number): number => {
      const other = item + from - to;
      const expiry = expiryOf(keep[other]!);
      return expiry === 0 ? keep[other]! : keepUntil(expiry + model.final[item]! - model.final[other]!);
    };
    const copied: number[] = [];
    for (let item = first + 1; item < end; item++) if (copyOf(item) !== keep[item]) copied.push(item);
    if (copied.length === 0) return false;
    this.#moved = copied.flatMap((item) => [item, keep[item]!]);
    this.#curve.setEach(copied, copied.map(copyOf));
    return true;
  }

  undo(): void {
    this.#curve.undo();
  }

  /** Keeps what was proposed. */
  take(): void {
    this.#changed.push(...this.#moved);
  }

  /** Marks what the curve keeps now: `returnToMark` comes back to it. */
  mark(): void {
    this.#changed.length = 0;
  }

  /** Undoes what was taken since the mark. */
  returnToMark(): void {
    for (let i = this.#changed.length - 2; i >= 0; i -= 2)
      this.#curve.set(this.#changed[i]!, this.#changed[i + 1]!);
    this.mark();
  }
}
