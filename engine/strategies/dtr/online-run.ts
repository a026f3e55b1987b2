import { predecessorsOf } from '../../graph/graph.ts';
import { needsOf } from '../../ops/memory-model.ts';
import { BACKWARD, FORWARD, type Schedule, ScheduleBuilder } from '../../schedule/schedule.ts';
import { sortByKey } from '../../typed-arrays.ts';
import { type LiveModel, membersOf } from '../search/live-model.ts';
import type { Control } from '../strategy/strategy.ts';
import { EvictedCosts } from './evicted-costs.ts';
import { LeastScored } from './least-scored.ts';

/** Ends the run above this many forwards of each vertex on average. */
const MAX_FORWARDS = 64;

/**
 * One training step as an online runtime meets it: operations come one by one in the order in which the network was
 * built, then their backwards; whenever one does not fit, what scores least by
 *
 *     h(t) = (own cost + evicted neighbours' cost) / (bytes * time since the last use)
 *
 * is evicted, and whatever is needed and gone is computed again, recursively (Kirisame et al., algorithm 1). What no
 * later operation of the program uses is evicted at once ("eager eviction"). A tensor is a storage: its views and what
 * is computed in place over it come and go with it; what a forward keeps besides is a tensor of its own. Inputs and
 * outputs of what runs are locked, and gradients are never evicted. Its clock is the work done so far.
 *
 * Time O(evictions x storages) up to 3,000 storages, about O(V log V + evictions log V) above (LeastScored); space O(V + E).
 */
export class OnlineRun {
  readonly #model: LiveModel;
  readonly #limit: number;
  readonly #control: Control;
  readonly #steps = new ScheduleBuilder();
  readonly #evicted: EvictedCosts;
  readonly #here: Uint8Array;
  readonly #auxHere: Uint8Array;
  /** Backward of these needs the auxiliaries of an item still. */
  readonly #auxNeeded: Uint8Array;
  readonly #locks: Int32Array;
  readonly #used: Float64Array;
  readonly #auxUsed: Float64Array;
  readonly #lastMember: Int32Array;
  readonly #evictable: LeastScored;
  #clock = 0;
  #live: number;
  #gradients = 0;
  #forwards = 0;

  constructor(model: LiveModel, limit: number, control: Control) {
    const { items, order, itemOf } = model;
    this.#model = model;
    this.#limit = limit;
    this.#control = control;
    this.#evicted = new EvictedCosts(model);
    this.#here = new Uint8Array(items);
    this.#auxHere = new Uint8Array(items);
    this.#auxNeeded = new Uint8Array(items).fill(1);
    this.#locks = new Int32Array(items);
    this.#used = new Float64Array(items);
    this.#auxUsed = new Float64Array(items);
    this.#lastMember = new Int32Array(items);
    this.#evictable = new LeastScored(2 * items, (key, most) => this.#scoreOf(key, most));
    order.forEach((v, p) => {
      this.#lastMember[itemOf[v]!] = p;
    });
    // The source is stored throughout.
    this.#here[0] = 1;
    this.#auxHere[0] = 1;
    this.#locks[0] = 1;
    this.#live = model.bytes[0]! + this.#auxOf(0);
    // So is what a view of it makes wait for something made of it: to compute it again would never end.
    for (let v = 1; v < order.length; v++)
      for (const u of predecessorsOf(model.graph, v)) if (itemOf[u]! > itemOf[v]!) this.#locks[itemOf[v]!]!++;
  }

  /** Forward and backward steps, without frees; null where nothing is left to evict, or it recomputes without end. */
  run(): Schedule | null {
    return this.#forward() && this.#backward() ? this.#steps.build() : null;
  }

  /** False, as of all below that answer so, where the memory does not do. */
  #forward(): boolean {
    const { graph, order, created, lastForward, lastHeld, maxNeed, besideBytes } = this.#model;
    // A program that runs the first forward itself holds what it still reads there, or more.
    const lastLocked = graph.keepsOrder ? lastHeld : this.#lastMember;
    const unlocked = sortByKey(lastLocked, order.length);
    for (let p = 1; p < order.length; p++) {
      this.#control.tick((0.3 * p) / order.length);
      const v = order[p]!;
      const item = this.#model.itemOf[v]!;
      const inputs = new Set(Array.from(predecessorsOf(this.#model.graph, v), (u) => this.#model.itemOf[u]!));
      inputs.delete(item);
      if (!this.#lockAll(inputs)) return false;
      if (created[item] === p) {
        if (!this.#makeRoom(item)) return false;
        this.#come(item);
        // Until its last view and what is computed over it are there.
        this.#locks[item]!++;
      }
      if (!this.#makeRoomFor(besideBytes?.[p] ?? 0)) return false;
      this.#steps.push(FORWARD, v);
      this.#forwards++;
      if (this.#lastMember[item] === p) {
        this.#clock += this.#model.work[item]!;
        this.#used[item] = this.#clock;
        this.#auxUsed[item] = this.#clock;
      }
      this.#unlockAll(inputs);
      const free = unlocked.sorted.subarray(unlocked.offsets[p], unlocked.offsets[p + 1]);
      for (const one of free) if (one !== 0) this.#unlock(one);
      for (const one of [...inputs, item, ...free])
        if (lastForward[one]! <= p && maxNeed[one] === -1) this.#evictValue(one);
    }
    return true;
  }

  #backward(): boolean {
    const { order, memory, gradientsBefore, gradientsAfter, minNeed } = this.#model;
    for (let p = order.length - 1; p > 0; p--) {
      this.#control.tick(0.3 + (0.7 * (order.length - p)) / order.length);
      this.#hold(gradientsBefore[p]!);
      const v = order[p]!;
      const item = this.#model.itemOf[v]!;
      const needed = [...new Set([...needsOf(memory, v)].map((u) => this.#model.itemOf[u]!))];
      const wantsAux = (memory.auxBytes[v] ?? 0) > 0 && this.#auxNeeded[item] === 1;
      if (wantsAux && this.#auxHere[item] === 0 && !this.#compute(item)) return false;
      if (wantsAux) this.#locks[item]!++;
      if (!this.#lockAll(needed)) return false;
      if (!this.#makeRoomFor(gradientsAfter[p]! - this.#gradients)) return false;
      this.#steps.push(BACKWARD, v);
      if (wantsAux) this.#unlock(item);
      this.#unlockAll(needed);
      if (this.#auxLast(item) === p) {
        this.#auxNeeded[item] = 0;
        this.#evictAux(item);
      }
      for (const one of needed) if (minNeed[one] === p) this.#evictValue(one);
    }
    return true;
  }

  #hold(gradients: number): void {
    this.#live += gradients - this.#gradients;
    this.#gradients = gradients;
  }

  /** The lowest position whose backward needs what the item's forwards keep besides. */
  #auxLast(item: number): number {
    const positions = [this.#model.auxPosition[item]!, this.#model.fixedPosition[item]!].filter(
      (p) => p >= 0,
    );
    return positions.length === 0 ? -1 : Math.min(...positions);
  }

  #inputs(item: number): Int32Array {
    const { ins, inOffsets } = this.#model;
    return ins.subarray(inOffsets[item], inOffsets[item + 1]);
  }

  #auxOf(item: number): number {
    return this.#model.auxBytes[item]! + this.#model.fixedBytes[item]!;
  }

  /** Has all of them in memory, locked. */
  #lockAll(items: Iterable<number>): boolean {
    for (const item of items) {
      if (this.#here[item] === 0 && !this.#compute(item)) return false;
      this.#locks[item]!++;
      this.#used[item] = this.#clock;
    }
    return true;
  }

  #unlockAll(items: Iterable<number>): void {
    for (const item of items) this.#unlock(item);
  }

  /** Computes an item again, and first whatever of its inputs is gone: depth first, by a stack of its own. */
  #compute(wanted: number): boolean {
    const stack: { readonly item: number; next: number }[] = [{ item: wanted, next: 0 }];
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const inputs = this.#inputs(top.item);
      const input = inputs[top.next];
      if (input !== undefined) {
        if (this.#here[input] === 0) {
          stack.push({ item: input, next: 0 });
          continue;
        }
        this.#locks[input]!++;
        this.#used[input] = this.#clock;
        top.next++;
        continue;
      }
      if (!this.#makeRoom(top.item)) return false;
      const members = membersOf(this.#model, top.item);
      this.#forwards += members.length;
      if (this.#forwards > MAX_FORWARDS * this.#model.order.length) return false;
      // The source itself, whose views are of its storage, is no operation.
      for (const v of members) if (v !== 0) this.#steps.push(FORWARD, v);
      this.#come(top.item);
      this.#clock += this.#model.work[top.item]!;
      this.#used[top.item] = this.#clock;
      this.#auxUsed[top.item] = this.#clock;
      this.#offer(top.item);
      this.#unlockAll(inputs);
      stack.pop();
    }
    return true;
  }

  #come(item: number): void {
    if (this.#here[item] === 0) this.#live += this.#model.bytes[item]!;
    this.#here[item] = 1;
    this.#evicted.bringBack(item, this.#model.work[item]!);
    if (this.#auxHere[item] === 0 && this.#auxNeeded[item] === 1) {
      this.#auxHere[item] = 1;
      this.#live += this.#auxOf(item);
    }
  }

  /** For a storage and what its forwards keep besides. */
  #makeRoom(item: number): boolean {
    const value = this.#here[item] === 0 ? this.#model.bytes[item]! : 0;
    const aux = this.#auxHere[item] === 0 && this.#auxNeeded[item] === 1 ? this.#auxOf(item) : 0;
    this.#locks[item]!++;
    const isRoom = this.#makeRoomFor(value + aux);
    this.#unlock(item);
    return isRoom;
  }

  #makeRoomFor(bytes: number): boolean {
    while (this.#live + bytes > this.#limit) {
      this.#control.tick(0.5);
      if (!this.#evictLeast()) return false;
    }
    return true;
  }

  /** Returns false when nothing could be evicted. */
  #evictLeast(): boolean {
    const key = this.#evictable.take();
    if (key < 0) return false;
    if (isAux(key)) this.#evictAux(key >> 1);
    else this.#evictValue(key >> 1);
    return true;
  }

  /**
   * DTR's score of a value or an auxiliary; infinite where it is locked or not in memory.
   *
   * @param most above which its own cost alone may answer
   */
  #scoreOf(key: number, most = Number.POSITIVE_INFINITY): number {
    const item = key >> 1;
    if (item === 0 || this.#locks[item]! > 0) return Number.POSITIVE_INFINITY;
    const isHere = isAux(key) ? this.#auxHere[item] === 1 : this.#here[item] === 1;
    const bytes = isHere ? (isAux(key) ? this.#auxOf(item) : this.#model.bytes[item]!) : 0;
    if (bytes === 0) return Number.POSITIVE_INFINITY;
    const used = isAux(key) ? this.#auxUsed[item]! : this.#used[item]!;
    const bytesAndTime = bytes * (this.#clock - used + 1);
    const own = this.#model.work[item]!;
    if (own / bytesAndTime > most) return own / bytesAndTime;
    return (own + this.#evicted.around(item)) / bytesAndTime;
  }

  #unlock(item: number): void {
    if (--this.#locks[item]! === 0) this.#offer(item);
  }

  #offer(item: number): void {
    this.#evictable.offer(valueKey(item));
    this.#evictable.offer(auxKey(item));
  }

  #evictValue(item: number): void {
    if (item === 0 || this.#here[item] === 0 || this.#locks[item]! > 0) return;
    this.#here[item] = 0;
    this.#live -= this.#model.bytes[item]!;
    this.#evicted.evict(item, this.#model.work[item]!);
  }

  #evictAux(item: number): void {
    if (this.#auxHere[item] === 0) return;
    this.#auxHere[item] = 0;
    this.#live -= this.#auxOf(item);
  }
}

/** Evictable memory: the value of an item, or the auxiliary of its forwards. */
const valueKey = (item: number): number => 2 * item;
const auxKey = (item: number): number => 2 * item + 1;
const isAux = (key: number): boolean => (key & 1) === 1;
