import { type Block, type BlockChoice, blocksOf, type Turn } from './blocks.ts';
import { ByteCurve } from './byte-curve.ts';
import type { KeptOrder } from './candidate.ts';
import { type KeepEncoding, KEEP_ALL } from './keep-encoding.ts';
import type { LiveModel } from './live-model.ts';
import type { SearchLimit } from './search-limit.ts';

/** Effort guards. Ways that go on from a block whose end they keep: */
const KEPT_LEVELS = 192;
/** Ways that recompute its end, in each of the levels of locked bytes. */
const RECOMPUTED_LEVELS = 48;
const LOCKED_LEVELS = 8;
/** So many times as many levels of kept bytes are filled, and thinned out. */
const FINE = 16;
/** Searches for a way whose curve is within the budget. */
const TRIES = 4;
/** Work of looking at a choice. */
const CHOICE_LOOKS = 30;

/** A choice for each block so far. */
interface Way {
  readonly before: Way | null;
  readonly choice: BlockChoice | null;
  readonly isEndKept: boolean;
  /** Bytes kept, and those that live beside them once the ends recomputed since the last one kept are there again. */
  readonly kept: number;
  readonly locked: number;
  readonly work: number;
}

/** Bytes by which the curve was above what a way says of a block, by its turn. */
type Missed = ReadonlyMap<Turn, number>;

/**
 * Plans of a network that is a chain of blocks (blocks.ts), by a dynamic program over them: the least recompute within a
 * limit. Each block's end is kept or recomputed; runs of blocks whose ends are recomputed follow one on the other, and
 * while backward is in one, all that is kept of those before it lives. A way is judged by its curve; where that is above, what
 * was missed counts from then on.
 *
 * - Source: Zigzag; that equal blocks are solved once is Rockmate’s idea.
 * - Time: blocks x ways x choices, in microseconds each. Ways that keep about as much are thinned out.
 */
export class BlockPath {
  readonly #model: LiveModel;
  readonly #blocks: readonly Block[];

  constructor(model: LiveModel) {
    this.#model = model;
    this.#blocks = blocksOf(model);
  }

  /**
   * The choice of least recompute found whose curve is within a budget, else the one of lowest peak.
   *
   * @param most work of a way, which it stays below
   * @returns null where no way was found, and where the network is no chain of blocks
   */
  within(budget: number, most: number, search: SearchLimit): KeptOrder | null {
    if (this.#blocks.length === 0) return null;
    const missed = new Map<Turn, number>();
    let best: KeptOrder | null = null;
    for (let i = 0; i < TRIES; i++) {
      const way = this.#wayWithin(budget, most, missed, search);
      if (way === null) return best;
      const keep = this.#keepOf(way);
      const curve = new ByteCurve(this.#model, keep);
      const isWithin = curve.fits(budget);
      if (best === null || curve.peak < best.peak) best = { model: this.#model, keep, peak: curve.peak };
      if (isWithin || !this.#learn(way, curve, budget, missed)) return best;
    }
    return best;
  }

  /** Notes where a curve is above a limit that a way keeps; false where nothing new was missed. */
  #learn(last: Way, { backward }: ByteCurve, limit: number, missed: Map<Turn, number>): boolean {
    let isNew = false;
    let way = last;
    for (const { from, at } of this.#blocks.toReversed()) {
      const { choice, before } = way;
      if (choice === null || before === null) break;
      const most = backward.subarray(from + 1, at + 1).reduce((a, b) => Math.max(a, b), 0);
      const turn = way.isEndKept ? choice.kept : choice.recomputed;
      const above = most - peakOf(before, turn);
      if (most > limit && above > (missed.get(turn) ?? 0)) {
        missed.set(turn, above);
        isNew = true;
      }
      way = before;
    }
    return isNew;
  }

  #wayWithin(limit: number, most: number, missed: Missed, search: SearchLimit): Way | null {
    const source = this.#model.bytes[0]!;
    let ways: readonly Way[] = [
      { before: null, choice: null, isEndKept: true, kept: source, locked: 0, work: 0 },
    ];
    for (const [i, { choices, endBytes, endAux, entryBytes }] of this.#blocks.entries()) {
      const isLast = i === this.#blocks.length - 1;
      const withEnd = new Cells(limit, most);
      const without = Array.from({ length: LOCKED_LEVELS + 1 }, () => new Cells(limit, most));
      for (const before of ways) {
        if (search.look(CHOICE_LOOKS * choices.length)) return null;
        const isWithin = (turn: Turn): boolean => peakOf(before, turn) + (missed.get(turn) ?? 0) <= limit;
        for (const choice of choices) {
          const { kept, recomputed } = choice;
          if (before.kept + kept.bytes > limit) break;
          const all = before.kept + kept.bytes + endBytes + endAux;
          const work = before.work + kept.work;
          if (all <= limit && withEnd.takes(all, work) && isWithin(kept))
            withEnd.put({ before, choice, isEndKept: true, kept: all, locked: 0, work });
          if (isLast) continue;
          const bytes = before.kept + recomputed.bytes;
          const way = choice.reachesEntry && !before.isEndKept ? before.locked + entryBytes : 0;
          const locked = choice.lockedBytes + way;
          if (bytes + Math.max(locked + endBytes, way + choice.onTheWay) > limit) continue;
          const cells = without[Math.floor((LOCKED_LEVELS * locked) / limit)]!;
          const again = before.work + recomputed.work;
          if (cells.takes(bytes, again) && isWithin(recomputed))
            cells.put({ before, choice, isEndKept: false, kept: bytes, locked, work: again });
        }
      }
      ways = [
        withEnd.thinned(KEPT_LEVELS),
        ...without.map((cells) => cells.thinned(RECOMPUTED_LEVELS)),
      ].flat();
    }
    return ways.reduce<Way | null>((best, way) => (best === null || way.work < best.work ? way : best), null);
  }

  #keepOf(last: Way): KeepEncoding {
    const keep: KeepEncoding = new Int32Array(this.#model.items).fill(KEEP_ALL);
    let way = last;
    for (const { first, end } of this.#blocks.toReversed()) {
      way.choice!.keeps.forEach((kept, n) => {
        keep[first + n] = kept === 1 ? KEEP_ALL : 0;
      });
      keep[end] = way.isEndKept ? KEEP_ALL : 0;
      way = way.before!;
    }
    return keep;
  }
}

/** The most that lives while backward is in a block, after the way up to it. */
function peakOf({ kept, locked, isEndKept }: Way, turn: Turn): number {
  return kept + (isEndKept ? turn.afterKept : Math.max(turn.unreached, locked + turn.reached));
}

/** Ways by the bytes that they keep: of those that keep about as much the one of least work. */
class Cells {
  readonly #ways: (Way | undefined)[] = [];
  readonly #scale: number;
  readonly #most: number;

  constructor(limit: number, most: number) {
    this.#scale = (FINE * KEPT_LEVELS) / limit;
    this.#most = most;
  }

  takes(kept: number, work: number): boolean {
    if (work >= this.#most) return false;
    const known = this.#ways[Math.floor(this.#scale * kept)];
    return known === undefined || work < known.work || (work === known.work && kept < known.kept);
  }

  put(way: Way): void {
    this.#ways[Math.floor(this.#scale * way.kept)] = way;
  }

  /** So many of those that no other beats, from equal parts of their range: the nearest to the lower hull of all. */
  thinned(levels: number): readonly Way[] {
    const front: Way[] = [];
    for (const way of this.#ways)
      if (way !== undefined && way.work < (front.at(-1)?.work ?? Number.POSITIVE_INFINITY)) front.push(way);
    if (front.length <= levels) return front;
    const hull: Way[] = [];
    for (const way of front) {
      while (hull.length > 1 && heightAbove(hull.at(-2)!, way, hull.at(-1)!) >= 0) hull.pop();
      hull.push(way);
    }
    const [low, span] = [front[0]!.kept, front.at(-1)!.kept - front[0]!.kept];
    const best: Way[] = [];
    let [part, least, corner] = [-1, 0, 1];
    for (const way of front) {
      while (hull[corner]!.kept < way.kept) corner++;
      const height = heightAbove(hull[corner - 1]!, hull[corner]!, way);
      const own = Math.floor((levels * (way.kept - low)) / span);
      if (own === part && height > least) continue;
      if (own === part) best.pop();
      best.push(way);
      [part, least] = [own, height];
    }
    return best;
  }
}

/** Work of a way above the line through two others. */
function heightAbove(a: Way, b: Way, way: Way): number {
  return way.work - a.work - ((b.work - a.work) * (way.kept - a.kept)) / (b.kept - a.kept);
}
