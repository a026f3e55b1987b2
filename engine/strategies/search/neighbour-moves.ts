import type { Rng } from '../../rng.ts';
import { KEEP_ALL, KEEP_VALUE, keepUntil } from './keep-encoding.ts';
import type { ByteCurve } from './byte-curve.ts';

/** Share of moves that shift to an item close by, and how far close is. */
const SHIFTS = 0.8;
const SHIFT_SPAN = 10;
/** Share of moves that keep a value for the first of its uses in backward only. */
const EXPIRIES = 0.15;

/**
 * Random changes of what a curve keeps, one at a time: keep or drop an item, shift to one close by, or
 * keep one for some of its uses.
 */
export class NeighbourMoves {
  readonly #curve: ByteCurve;
  readonly #rng: Rng;
  #first = 0;
  #before = 0;
  #second = -1;
  #secondBefore = 0;
  /** Items changed since the mark, each with its encoding of before. */
  readonly #changed: number[] = [];

  constructor(curve: ByteCurve, rng: Rng) {
    this.#curve = curve;
    this.#rng = rng;
  }

  propose(): void {
    const curve = this.#curve;
    const rng = this.#rng;
    const { keep } = curve;
    const { items, auxBytes, needOffsets, needPositions } = curve.model;
    const first = 1 + rng.below(items - 1);
    this.#first = first;
    this.#before = keep[first]!;
    this.#second = -1;
    const from = needOffsets[first]!;
    const uses = needOffsets[first + 1]! - from;
    if (uses > 1 && rng.next() < EXPIRIES) {
      // Any use but the first, which is at the largest position.
      curve.set(first, keepUntil(needPositions[from + rng.below(uses - 1)]!));
      return;
    }
    const change = auxBytes[first]! > 0 ? 1 + rng.below(KEEP_ALL) : KEEP_ALL;
    const choice = this.#before ^ change;
    const near = rng.next() < SHIFTS ? first + rng.below(2 * SHIFT_SPAN + 1) - SHIFT_SPAN : first;
    // Keeping one for dropping the other, never both at once.
    if (near <= 0 || near >= items || near === first || ((keep[near]! ^ choice) & KEEP_VALUE) !== 0) {
      curve.set(first, choice);
      return;
    }
    this.#second = near;
    this.#secondBefore = keep[near]!;
    curve.setTwo(first, choice, near, this.#secondBefore ^ KEEP_ALL);
  }

  undo(): void {
    this.#curve.undo();
  }

  /** Keeps what was proposed. */
  take(): void {
    this.#changed.push(this.#first, this.#before);
    if (this.#second >= 0) this.#changed.push(this.#second, this.#secondBefore);
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
