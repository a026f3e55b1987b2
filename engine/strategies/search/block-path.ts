import { ChoiceTable, END_STATES, WayCells, Ways } from './block-ways.ts';
import { type BlockChain, type BlockChoice, blocksOf, type EndState } from './blocks.ts';
import { ByteCurve } from './byte-curve.ts';
import type { KeptOrder } from './candidate.ts';
import { type KeepEncoding, KEEP_ALL } from './keep-encoding.ts';
import type { LiveModel } from './live-model.ts';
import type { SearchLimit } from './search-limit.ts';

/** Effort guards. Ways that go on from a block whose end they keep: */
const KEPT_LEVELS = 96;
/** Ways that recompute its end, in each of the levels of locked bytes. */
const RECOMPUTED_LEVELS = 24;
const LOCKED_LEVELS = 8;
/** Searches for a way whose curve is within the budget; after so many, each below a lower limit too. */
const TRIES = 6;
const LEARNING = 2;
/** Work of looking at a choice. */
const CHOICE_LOOKS = 6;

/** A block's choice on a way, and the most that the way says of backward through the block. */
interface Taken {
  readonly choice: BlockChoice;
  readonly state: EndState;
  readonly peak: number;
}

/** Bytes by which the curve was above what a way says of a block, by its choice. */
type Missed = Map<BlockChoice, number>;

/**
 * Plans of a network that is a chain of blocks (blocks.ts), by a dynamic program over them: the least recompute within a
 * limit. Each block's end is kept, recomputed or not used again; runs of blocks whose ends are recomputed follow one on the
 * other, and while backward is in one, all that is kept of those before it lives. A way is judged by its curve; where that is
 * above, what was missed counts from then on.
 *
 * - Source: Zigzag; that equal blocks are solved once is Rockmate’s idea.
 * - Time: blocks x ways x choices, in tens of nanoseconds each. Ways that keep about as much are thinned out.
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
    const missed: Missed = new Map();
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
  #learn(way: readonly Taken[], { backward }: ByteCurve, limit: number, missed: Missed): boolean {
    let isNew = false;
    way.forEach(({ choice, peak }, i) => {
      const { from, at } = this.#chain.blocks[i]!;
      const most = backward.subarray(from + 1, at + 1).reduce((a, b) => Math.max(a, b), 0);
      if (most <= limit || most - peak <= (missed.get(choice) ?? 0)) return;
      missed.set(choice, most - peak);
      isNew = true;
    });
    return isNew;
  }

  /** The way of least work found whose peaks are within a limit. */
  #wayWithin(
    limit: number,
    most: number,
    missed: Missed,
    search: SearchLimit,
    levels: number,
  ): readonly Taken[] | null {
    const { blocks, spanningBytes } = this.#chain;
    const tables = new Map<readonly BlockChoice[], ChoiceTable>();
    const tableOf = (choices: readonly BlockChoice[]): ChoiceTable => {
      const table = tables.get(choices) ?? new ChoiceTable(choices, missed);
      tables.set(choices, table);
      return table;
    };
    const cellsOf = END_STATES.map((state) =>
      state === 'recomputed'
        ? new WayCells(state, limit, most, LOCKED_LEVELS, levels * RECOMPUTED_LEVELS)
        : new WayCells(state, limit, most, 0, levels * KEPT_LEVELS),
    );
    const start = new Ways(1);
    start.bytes[0] = this.#model.bytes[0]! + spanningBytes;
    const layers = [start];
    for (const [i, block] of blocks.entries()) {
      const before = layers[i]!;
      // The last end is the target, which is kept.
      const states = i === blocks.length - 1 ? END_STATES.slice(0, 1) : END_STATES;
      const choices = states.reduce((sum, state) => sum + block.choices[state].length, 0);
      if (search.look(CHOICE_LOOKS * before.count * choices)) return null;
      const found = states.map((state, s) => {
        cellsOf[s]!.extend(before, tableOf(block.choices[state]), block);
        return cellsOf[s]!.thinned;
      });
      const after = new Ways(found.reduce((sum, { length }) => sum + length, 0));
      let from = 0;
      found.forEach((cells, s) => {
        after.copy(cellsOf[s]!.ways, cells, from);
        from += cells.length;
      });
      layers.push(after);
    }
    return this.#takenOf(layers);
  }

  #takenOf(layers: readonly Ways[]): readonly Taken[] | null {
    let way = layers.at(-1)!.best;
    if (way < 0) return null;
    const { blocks } = this.#chain;
    const taken: Taken[] = [];
    for (let i = blocks.length; i > 0; i--) {
      const ways = layers[i]!;
      const state = ways.stateOf(way);
      const choice = blocks[i - 1]!.choices[state][ways.choice[way]!]!;
      way = ways.before[way]!;
      taken.push({ choice, state, peak: layers[i - 1]!.peakAfter(way, choice) });
    }
    return taken.reverse();
  }

  #keepOf(way: readonly Taken[]): KeepEncoding {
    const keep: KeepEncoding = new Int32Array(this.#model.items).fill(KEEP_ALL);
    way.forEach(({ choice, state }, i) => {
      const { first, end } = this.#chain.blocks[i]!;
      choice.keeps.forEach((kept, n) => {
        keep[first + n] = kept === 1 ? KEEP_ALL : 0;
      });
      keep[end] = state === 'kept' ? KEEP_ALL : 0;
    });
    return keep;
  }
}
