import { indices } from '../../typed-arrays.ts';
import type { Block, BlockChoice, EndState } from './blocks.ts';
import { nearHull } from './near-hull.ts';

/** So many times as many levels of kept bytes are filled, and thinned out. */
const FINE = 16;
export const END_STATES: readonly EndState[] = ['kept', 'unused', 'recomputed'];
/** Their places there, by which columns name them. */
const [KEPT, UNUSED, RECOMPUTED] = [0, 1, 2];

// Columns of numbers, not objects: a front of eighty layers looks at seventy million pairs of a way and a choice.

/** Choices of a block that leave its end in one state, by rising bytes. */
export class ChoiceTable {
  readonly bytes: Float64Array;
  readonly work: Float64Array;
  readonly lockedBytes: Float64Array;
  readonly onTheWay: Float64Array;
  readonly reachesEntry: Uint8Array;
  /** All choices, and those that ask nothing of the block before. */
  readonly all: Int32Array;
  readonly withoutEntry: Int32Array;
  /** Peaks, with what curves showed above what was said of a choice. */
  readonly afterKept: Float64Array;
  readonly unreached: Float64Array;
  readonly reached: Float64Array;

  /** @param missed bytes by which curves were above what was said, by choice */
  constructor(choices: readonly BlockChoice[], missed: ReadonlyMap<BlockChoice, number>) {
    const above = (choice: BlockChoice): number => missed.get(choice) ?? 0;
    const column = (figure: (choice: BlockChoice) => number): Float64Array =>
      Float64Array.from(choices, figure);
    this.bytes = column(({ bytes }) => bytes);
    this.work = column(({ work }) => work);
    this.lockedBytes = column(({ lockedBytes }) => lockedBytes);
    this.onTheWay = column(({ onTheWay }) => onTheWay);
    this.reachesEntry = Uint8Array.from(choices, ({ reachesEntry }) => Number(reachesEntry));
    this.all = indices(choices.length);
    this.withoutEntry = this.all.filter((c) => !choices[c]!.usesEntry);
    this.afterKept = column((choice) => choice.afterKept + above(choice));
    this.unreached = column((choice) => choice.unreached + above(choice));
    this.reached = column((choice) => choice.reached + above(choice));
  }
}

/** Ways up to the end of a block, each a choice for every block so far. */
export class Ways {
  readonly count: number;
  readonly states: Uint8Array;
  /** Bytes kept, and those that live beside them once the ends recomputed since the last one kept are there again. */
  readonly bytes: Float64Array;
  readonly locked: Float64Array;
  readonly work: Float64Array;
  /** By way: that up to the block before, and this block's choice in the table of the state of its end. */
  readonly before: Int32Array;
  readonly choice: Int32Array;

  constructor(count: number) {
    this.count = count;
    this.states = new Uint8Array(count);
    this.bytes = new Float64Array(count);
    this.locked = new Float64Array(count);
    this.work = new Float64Array(count);
    this.before = new Int32Array(count);
    this.choice = new Int32Array(count);
  }

  stateOf(way: number): EndState {
    return END_STATES[this.states[way]!]!;
  }

  /** The most that lives while backward is in the next block, after the way up to it. */
  peakAfter(way: number, { afterKept, unreached, reached }: BlockChoice): number {
    const most = this.states[way] === KEPT ? afterKept : Math.max(unreached, this.locked[way]! + reached);
    return this.bytes[way]! + most;
  }

  /** Writes some of other ways from an index on. */
  copy(others: Ways, indices: readonly number[], from: number): void {
    indices.forEach((other, n) => {
      const way = from + n;
      this.states[way] = others.states[other]!;
      this.bytes[way] = others.bytes[other]!;
      this.locked[way] = others.locked[other]!;
      this.work[way] = others.work[other]!;
      this.before[way] = others.before[other]!;
      this.choice[way] = others.choice[other]!;
    });
  }

  /** The way of least work, of equal ones the first; -1 of no ways. */
  get best(): number {
    let best = -1;
    for (let way = 0; way < this.count; way++) if (best < 0 || this.work[way]! < this.work[best]!) best = way;
    return best;
  }
}

/**
 * Ways that leave a block's end in one state, by their locked bytes and the bytes that they keep: of those that keep about
 * as much the one of least work.
 */
export class WayCells {
  readonly #state: number;
  readonly #limit: number;
  readonly #most: number;
  readonly #lockedLevels: number;
  readonly #levels: number;
  readonly #size: number;
  /** By cell; one whose work is `most` is empty. */
  readonly ways: Ways;

  /**
   * @param limit on the bytes of a way, and on its peaks
   * @param most work of a way, which it stays below
   * @param lockedLevels levels of locked bytes, each with its own levels of kept ones
   * @param levels ways to go on from, for each level of locked bytes
   */
  constructor(state: EndState, limit: number, most: number, lockedLevels: number, levels: number) {
    this.#state = END_STATES.indexOf(state);
    this.#limit = limit;
    this.#most = most;
    this.#lockedLevels = lockedLevels;
    this.#levels = levels;
    this.#size = FINE * levels + 1;
    this.ways = new Ways((lockedLevels + 1) * this.#size);
    this.ways.states.fill(this.#state);
  }

  /** Fills the cells with ways that go on from those up to the block before. */
  extend(before: Ways, table: ChoiceTable, { endBytes, endAux, entryBytes }: Block): void {
    const limit = this.#limit;
    const scale = (this.#size - 1) / limit;
    const isRecomputed = this.#state === RECOMPUTED;
    const own = this.#state === KEPT ? endBytes + endAux : 0;
    const most = this.#most;
    const size = this.#size;
    const perLevel = this.#lockedLevels / limit;
    const { bytes: choiceBytes, work: choiceWork, lockedBytes, onTheWay, reachesEntry } = table;
    const { afterKept, unreached, reached } = table;
    const cells = this.ways;
    const cellBytes = cells.bytes;
    const cellWork = cells.work;
    cellWork.fill(most);
    for (let way = 0; way < before.count; way++) {
      const state = before.states[way]!;
      const fromBytes = before.bytes[way]!;
      const fromLocked = before.locked[way]!;
      const fromWork = before.work[way]!;
      const toEntry = state === KEPT ? 0 : fromLocked + entryBytes;
      const choices = state === UNUSED ? table.withoutEntry : table.all;
      for (let k = 0; k < choices.length; k++) {
        const c = choices[k]!;
        const bytes = fromBytes + choiceBytes[c]! + own;
        if (bytes > limit) break;
        let locked = 0;
        let cell = Math.floor(scale * bytes);
        if (isRecomputed) {
          const toIt = reachesEntry[c] === 1 ? toEntry : 0;
          locked = lockedBytes[c]! + toIt;
          if (bytes + Math.max(locked + endBytes, toIt + onTheWay[c]!) > limit) continue;
          cell += Math.floor(perLevel * locked) * size;
        }
        const work = fromWork + choiceWork[c]!;
        const known = cellWork[cell]!;
        if (work > known || (work === known && (work === most || bytes >= cellBytes[cell]!))) continue;
        const peak = state === KEPT ? afterKept[c]! : Math.max(unreached[c]!, fromLocked + reached[c]!);
        if (fromBytes + peak > limit) continue;
        cellBytes[cell] = bytes;
        cellWork[cell] = work;
        cells.locked[cell] = locked;
        cells.before[cell] = way;
        cells.choice[cell] = c;
      }
    }
  }

  /** Cells of as many ways as there are levels that no other beats, the nearest to the lower hull of all. */
  get thinned(): readonly number[] {
    const { bytes, work } = this.ways;
    const found: number[] = [];
    for (let level = 0; level <= this.#lockedLevels; level++) {
      const filled: number[] = [];
      for (let cell = level * this.#size; cell < (level + 1) * this.#size; cell++)
        if (work[cell]! < this.#most) filled.push(cell);
      found.push(...nearHull(filled, bytes, work, this.#levels));
    }
    return found;
  }
}
