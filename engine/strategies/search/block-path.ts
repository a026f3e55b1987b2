import { type BlockChain, type BlockChoice, blocksOf, type EndState } from './blocks.ts';
import { ByteCurve } from './byte-curve.ts';
import type { KeptOrder } from './candidate.ts';
import { type KeepEncoding, KEEP_ALL } from './keep-encoding.ts';
import type { LiveModel } from './live-model.ts';
import { nearHull } from './near-hull.ts';
import type { SearchLimit } from './search-limit.ts';

/** Effort guards. Ways that go on from a block whose end they keep: */
const KEPT_LEVELS = 96;
/** Ways that recompute its end, in each of the levels of locked bytes. */
const RECOMPUTED_LEVELS = 24;
const LOCKED_LEVELS = 8;
/** So many times as many levels of kept bytes are filled, and thinned out. */
const FINE = 16;
/** Searches for a way whose curve is within the budget; after so many, each below a lower limit too. */
const TRIES = 6;
const LEARNING = 2;
/** Work of looking at a choice. */
const CHOICE_LOOKS = 15;

/** A choice for each block so far. */
interface Way {
  readonly before: Way | null;
  readonly choice: BlockChoice | null;
  readonly end: EndState;
  /** Bytes kept, and those that live beside them once the ends recomputed since the last one kept are there again. */
  readonly bytes: number;
  readonly locked: number;
  readonly work: number;
}

/** Bytes by which the curve was above what a way says of a block, by its choice. */
type Missed = ReadonlyMap<BlockChoice, number>;

/**
 * Plans of a network that is a chain of blocks (blocks.ts), by a dynamic program over them: the least recompute within a
 * limit. Each block's end is kept, recomputed or not used again; runs of blocks whose ends are recomputed follow one on the
 * other, and while backward is in one, all that is kept of those before it lives. A way is judged by its curve; where that is
 * above, what was missed counts from then on.
 *
 * - Source: Zigzag; that equal blocks are solved once is Rockmate’s idea.
 * - Time: blocks x ways x choices, in microseconds each. Ways that keep about as much are thinned out.
 */
export class BlockPath {
  readonly #model: LiveModel;
  readonly #chain: BlockChain;

  constructor(model: LiveModel) {
    this.#model = model;
    this.#chain = blocksOf(model);
  }

  get hasBlocks(): boolean {
    return this.#chain.blocks.length > 0;
  }

  /**
   * The choice of least recompute found whose curve is within a budget, else the one of lowest peak.
   *
   * @param most work of a way, which it stays below
   * @param slack share of the budget by which the curve may be above it
   * @returns null where no way was found, and where the network is no chain of blocks
   */
  within(budget: number, most: number, search: SearchLimit, slack: number): KeptOrder | null {
    if (this.#chain.blocks.length === 0) return null;
    const missed = new Map<BlockChoice, number>();
    let best: KeptOrder | null = null;
    let limit = budget;
    for (let i = 0; i < TRIES; i++) {
      const way = this.#wayWithin(limit, most, missed, search, slack > 0 ? 1 : 2);
      if (way === null) return best;
      const keep = this.#keepOf(way);
      const curve = new ByteCurve(this.#model, keep);
      const isWithin = curve.fits((1 + slack) * budget);
      if (best === null || curve.peak < best.peak) best = { model: this.#model, keep, peak: curve.peak };
      if (isWithin) return best;
      const isNew = this.#learn(way, curve, budget, missed);
      if (i >= LEARNING || !isNew) limit -= curve.peak - budget;
    }
    return best;
  }

  /** Notes where a curve is above a limit that a way keeps; false where nothing new was missed. */
  #learn(last: Way, { backward }: ByteCurve, limit: number, missed: Map<BlockChoice, number>): boolean {
    let isNew = false;
    let way = last;
    for (const { from, at } of this.#chain.blocks.toReversed()) {
      const { choice, before } = way;
      if (choice === null || before === null) break;
      const most = backward.subarray(from + 1, at + 1).reduce((a, b) => Math.max(a, b), 0);
      const above = most - peakOf(before, choice);
      if (most > limit && above > (missed.get(choice) ?? 0)) {
        missed.set(choice, above);
        isNew = true;
      }
      way = before;
    }
    return isNew;
  }

  #wayWithin(limit: number, most: number, missed: Missed, search: SearchLimit, levels: number): Way | null {
    const { blocks, spanningBytes } = this.#chain;
    const source = this.#model.bytes[0]! + spanningBytes;
    let ways: readonly Way[] = [
      { before: null, choice: null, end: 'kept', bytes: source, locked: 0, work: 0 },
    ];
    for (const [i, { choices, endBytes, endAux, entryBytes }] of blocks.entries()) {
      const choiceCount = choices.kept.length + choices.recomputed.length + choices.unused.length;
      const withEnd = new Cells(limit, most, levels * KEPT_LEVELS);
      const unused = new Cells(limit, most, levels * KEPT_LEVELS);
      const without = Array.from(
        { length: LOCKED_LEVELS + 1 },
        () => new Cells(limit, most, levels * RECOMPUTED_LEVELS),
      );
      const isLast = i === blocks.length - 1;
      for (const before of ways) {
        if (search.look(CHOICE_LOOKS * choiceCount)) return null;
        const isFit = (choice: BlockChoice): boolean =>
          !(before.end === 'unused' && choice.usesEntry) &&
          peakOf(before, choice) + (missed.get(choice) ?? 0) <= limit;
        for (const choice of choices.kept) {
          const bytes = before.bytes + choice.bytes + endBytes + endAux;
          if (bytes > limit) break;
          const work = before.work + choice.work;
          if (withEnd.takes(bytes, work) && isFit(choice))
            withEnd.put({ before, choice, end: 'kept', bytes, locked: 0, work });
        }
        if (isLast) continue;
        for (const choice of choices.unused) {
          const bytes = before.bytes + choice.bytes;
          if (bytes > limit) break;
          const work = before.work + choice.work;
          if (unused.takes(bytes, work) && isFit(choice))
            unused.put({ before, choice, end: 'unused', bytes, locked: 0, work });
        }
        for (const choice of choices.recomputed) {
          const bytes = before.bytes + choice.bytes;
          if (bytes > limit) break;
          const way = choice.reachesEntry && before.end !== 'kept' ? before.locked + entryBytes : 0;
          const locked = choice.lockedBytes + way;
          if (bytes + Math.max(locked + endBytes, way + choice.onTheWay) > limit) continue;
          const cells = without[Math.floor((LOCKED_LEVELS * locked) / limit)]!;
          const work = before.work + choice.work;
          if (cells.takes(bytes, work) && isFit(choice))
            cells.put({ before, choice, end: 'recomputed', bytes, locked, work });
        }
      }
      ways = [withEnd.thinned, unused.thinned, ...without.map((cells) => cells.thinned)].flat();
    }
    return ways.reduce<Way | null>((best, way) => (best === null || way.work < best.work ? way : best), null);
  }

  #keepOf(last: Way): KeepEncoding {
    const keep: KeepEncoding = new Int32Array(this.#model.items).fill(KEEP_ALL);
    let way = last;
    for (const { first, end } of this.#chain.blocks.toReversed()) {
      way.choice!.keeps.forEach((kept, n) => {
        keep[first + n] = kept === 1 ? KEEP_ALL : 0;
      });
      keep[end] = way.end === 'kept' ? KEEP_ALL : 0;
      way = way.before!;
    }
    return keep;
  }
}

/** The most that lives while backward is in a block, after the way up to it. */
function peakOf({ bytes, locked, end }: Way, choice: BlockChoice): number {
  return bytes + (end === 'kept' ? choice.afterKept : Math.max(choice.unreached, locked + choice.reached));
}

/** Ways by the bytes that they keep: of those that keep about as much the one of least work. */
class Cells {
  readonly #ways: (Way | undefined)[];
  readonly #scale: number;
  readonly #most: number;
  readonly #levels: number;

  constructor(limit: number, most: number, levels: number) {
    this.#ways = new Array<Way | undefined>(FINE * levels + 1);
    this.#scale = (FINE * levels) / limit;
    this.#most = most;
    this.#levels = levels;
  }

  takes(bytes: number, work: number): boolean {
    if (work >= this.#most) return false;
    const known = this.#ways[Math.floor(this.#scale * bytes)];
    return known === undefined || work < known.work || (work === known.work && bytes < known.bytes);
  }

  put(way: Way): void {
    this.#ways[Math.floor(this.#scale * way.bytes)] = way;
  }

  /** As many as there are levels of those that no other beats, the nearest to the lower hull of all. */
  get thinned(): readonly Way[] {
    return nearHull(
      this.#ways.filter((way) => way !== undefined),
      this.#levels,
    );
  }
}
