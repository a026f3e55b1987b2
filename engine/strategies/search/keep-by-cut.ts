import { FlowNetwork } from '../../flow/flow-network.ts';
import { type KeepEncoding, KEEP_ALL } from './keep-encoding.ts';
import type { LiveModel } from './live-model.ts';

/** Bytes below this are rounding of prices, not capacity. */
const TINY = 1e-6;
/** Work that costs nothing, in bytes: enough that nothing is recomputed for nothing. */
const NEXT_TO_NOTHING = 2 ** -12;

/**
 * Values to keep at the end of the forward for a price of work in bytes: the least of bytes kept plus
 * price times work done again, where everything that backward needs is either kept or recomputed from
 * inputs that are. A minimum cut, exact for this sum: node `in` of an item is cut off from the source
 * where it is recomputed (pays the work), node `out` where its value is there during backward; between
 * them lie its bytes, and a recomputed item draws its inputs' `out` along.
 * (As in PyTorch's partitioner for compiled graphs, which forbids instead of prices.)
 */
export class KeepByCut {
  readonly #model: LiveModel;
  readonly #network: FlowNetwork;
  readonly #workEdges: Int32Array;
  readonly #byteEdges: Int32Array;
  readonly #auxEdges: Int32Array;
  readonly #fixed: number[] = [];
  readonly #total: number;

  constructor(model: LiveModel) {
    const { items, inOffsets, ins, maxNeed, auxBytes } = model;
    this.#model = model;
    this.#network = new FlowNetwork(2 * items + 2, TINY);
    this.#workEdges = new Int32Array(items);
    this.#byteEdges = new Int32Array(items);
    this.#auxEdges = new Int32Array(items).fill(-1);
    this.#total = model.bytes.reduce((sum, held) => sum + held, 1) + auxBytes.reduce((a, b) => a + b, 0);
    const source = 2 * items;
    const sink = source + 1;
    for (let item = 1; item < items; item++) {
      this.#workEdges[item] = this.#network.add(source, 2 * item);
      this.#byteEdges[item] = this.#network.add(2 * item, 2 * item + 1);
      if (auxBytes[item]! > 0) this.#auxEdges[item] = this.#network.add(2 * item, sink);
      if (maxNeed[item]! >= 0) this.#fixed.push(this.#network.add(2 * item + 1, sink));
      for (let k = inOffsets[item]!; k < inOffsets[item + 1]!; k++) {
        if (ins[k]! > 0) this.#fixed.push(this.#network.add(2 * ins[k]! + 1, 2 * item));
      }
    }
  }

  /**
   * @param price bytes that one unit of forward work is worth
   * @param tilt from 0 to 1: how much cheaper it is to keep what is created late and dies early
   */
  keepAt(price: number, tilt = 0): KeepEncoding {
    const { items, bytes, work, auxBytes, created, order } = this.#model;
    const network = this.#network;
    const infinite = 2 * (this.#total + price * work.reduce((sum, w) => sum + w, 0));
    for (const edge of this.#fixed) network.set(edge, infinite);
    for (let item = 1; item < items; item++) {
      // Free work still costs a little, or it would be recomputed needlessly.
      network.set(this.#workEdges[item]!, price * work[item]! + 0.5);
      const share = 1 - (tilt * created[item]!) / order.length;
      network.set(this.#byteEdges[item]!, share * bytes[item]!);
      if (this.#auxEdges[item]! >= 0) network.set(this.#auxEdges[item]!, share * auxBytes[item]!);
    }
    return this.#cut().keep;
  }

  /**
   * Fewest bytes to keep when some items may not be recomputed and the others are free to recompute.
   * @param banned by item: 1 where it may not
   */
  keepBanned(banned: Uint8Array): { readonly keep: KeepEncoding; readonly savedBytes: number } {
    const { items, bytes, auxBytes } = this.#model;
    const network = this.#network;
    const infinite = 2 * (this.#total + items * NEXT_TO_NOTHING);
    for (const edge of this.#fixed) network.set(edge, infinite);
    for (let item = 1; item < items; item++) {
      network.set(this.#workEdges[item]!, banned[item] === 1 ? infinite : NEXT_TO_NOTHING);
      network.set(this.#byteEdges[item]!, bytes[item]!);
      if (this.#auxEdges[item]! >= 0) network.set(this.#auxEdges[item]!, auxBytes[item]!);
    }
    const { keep, side } = this.#cut();
    let savedBytes = 0;
    for (let item = 1; item < items; item++) {
      if (side[2 * item] !== 1) continue;
      savedBytes += auxBytes[item]! + (side[2 * item + 1] === 1 ? 0 : bytes[item]!);
    }
    return { keep, savedBytes };
  }

  #cut(): { readonly keep: KeepEncoding; readonly side: ArrayLike<number> } {
    const { items } = this.#model;
    const side = this.#network.minimumCut(2 * items, 2 * items + 1);
    const keep = new Int32Array(items);
    for (let item = 0; item < items; item++) {
      // Not recomputed: kept, where anything uses it, with its auxiliary.
      keep[item] = item === 0 || side[2 * item] === 1 ? KEEP_ALL : 0;
    }
    return { keep, side };
  }
}
