import { indices } from '../../typed-arrays.ts';
import { LinkedLists } from './linked-lists.ts';
import type { PalmTree } from './palm-tree.ts';
import { BOND, POLYGON, type SplitComponents, TRICONNECTED } from './split-components.ts';

/** Bottom of the triples that belong to one path. */
const END_OF_PATH = -1;

/**
 * Splits a biconnected graph without parallel edges into its split components: step 4 ("path search")
 * of Hopcroft and Tarjan 1973 as corrected by Gutwenger and Mutzel 2000. The search walks the palm
 * tree once. `ESTACK` holds the edges passed that are in no component yet. `TSTACK` holds triples
 * (h, a, b): {a, b} may be a separation pair that cuts off the numbers a..h (type 2). A subtree of w that
 * reaches below v in one vertex only gives the pair {v, low1(w)} (type 1). A pair that is found takes
 * its edges off ESTACK and puts one virtual edge there instead. Names in capitals are theirs.
 * Time and space O(V + E), no recursion.
 *
 * @param ids what the edges of the graph are called outside, for the components
 */
export function splitBiconnected(palm: PalmTree, ids: Int32Array, components: SplitComponents): void {
  new PathSearch(palm, ids, components).run();
}

class PathSearch {
  readonly #palm: PalmTree;
  readonly #ids: Int32Array;
  readonly #components: SplitComponents;
  /** Arcs of the palm tree keep their names here, virtual edge `firstVirtual + i` is called arcCount + i. */
  readonly #arcCount: number;
  readonly #firstVirtual: number;
  // By edge: its ends as numbers, the slot that holds it in A(tail), its entry in HIGHPT(head).
  readonly #tail: Int32Array;
  readonly #head: Int32Array;
  readonly #isTreeArc: Uint8Array;
  readonly #slotOf: Int32Array;
  readonly #highOf: Int32Array;
  /** A(v): slots in order, called by the arcs they held first; a slot may change its edge. */
  readonly #slots: LinkedLists;
  readonly #slotEdge: Int32Array;
  /** HIGHPT(v): fronds into v in the order of the search; one that replaced another may stand under its name. */
  readonly #high: LinkedLists;
  // By number; these change as virtual edges replace components.
  readonly #father: Int32Array;
  readonly #treeArc: Int32Array;
  readonly #degree: Int32Array;
  readonly #edgeStack: number[] = [];
  // TSTACK, one array a column.
  readonly #h: number[] = [0];
  readonly #a: number[] = [END_OF_PATH];
  readonly #b: number[] = [0];

  constructor(palm: PalmTree, ids: Int32Array, components: SplitComponents) {
    const { size, edge: arcs } = palm;
    // m edges have less than m virtual ones: see `SplitComponents`.
    const limit = 2 * arcs.length;
    this.#palm = palm;
    this.#ids = ids;
    this.#components = components;
    this.#arcCount = arcs.length;
    this.#firstVirtual = components.given + components.virtualCount;
    this.#tail = grown(palm.tail, limit);
    this.#head = grown(palm.head, limit);
    this.#isTreeArc = new Uint8Array(limit);
    this.#isTreeArc.set(palm.isTreeArc);
    this.#slotOf = indices(limit);
    this.#highOf = new Int32Array(limit).fill(-1);
    this.#slots = new LinkedLists(size + 1, arcs.length);
    this.#slotEdge = indices(arcs.length);
    this.#high = new LinkedLists(size + 1, limit);
    this.#father = palm.father.slice();
    this.#treeArc = new Int32Array(size + 1);
    this.#degree = new Int32Array(size + 1);
    for (let arc = 0; arc < arcs.length; arc++) {
      const v = palm.tail[arc]!;
      const w = palm.head[arc]!;
      this.#slots.pushBack(v, arc);
      this.#degree[v]!++;
      this.#degree[w]!++;
      if (palm.isTreeArc[arc] === 1) this.#treeArc[w] = arc;
    }
    for (const arc of palm.fronds) {
      this.#high.pushBack(palm.head[arc]!, arc);
      this.#highOf[arc] = arc;
    }
  }

  run(): void {
    const { size } = this.#palm;
    const cursor = new Int32Array(size + 1);
    for (let v = 1; v <= size; v++) cursor[v] = this.#slots.first(v);
    const stack = new Int32Array(size);
    stack[0] = 1;
    for (let depth = 1; depth > 0; ) {
      const v = stack[depth - 1]!;
      const slot = cursor[v]!;
      if (slot === -1) {
        depth--;
        if (depth === 0) break;
        const parent = stack[depth - 1]!;
        const done = cursor[parent]!;
        this.#leaveTreeArc(parent, done, v);
        cursor[parent] = this.#slots.next(done);
        continue;
      }
      const e = this.#slotEdge[slot]!;
      if (this.#startsPath(v, slot)) this.#startPath(v, e);
      if (this.#isTreeArc[e] === 1) stack[depth++] = this.#head[e]!;
      else {
        this.#edgeStack.push(e);
        cursor[v] = this.#slots.next(slot);
      }
    }
    for (let e = this.#edgeStack.pop(); e !== undefined; e = this.#edgeStack.pop()) this.#collect(e);
    this.#components.close(this.#components.collected > 4 ? TRICONNECTED : POLYGON);
  }

  /** The first edge of a vertex goes on with the path that entered it; every other one starts a path. */
  #startsPath(v: number, slot: number): boolean {
    return v === 1 || slot !== this.#palm.firstArc[v];
  }

  #startPath(v: number, e: number): void {
    const { low1, descendants } = this.#palm;
    const w = this.#head[e]!;
    const isTreeArc = this.#isTreeArc[e] === 1;
    const lowest = isTreeArc ? low1[w]! : w;
    let highest = isTreeArc ? w + descendants[w]! - 1 : v;
    let b = v;
    // Pairs whose lower vertex the new path passes below are no pairs; what they cut off joins it.
    if (this.#topA() > lowest) {
      let y = 0;
      while (this.#topA() > lowest) {
        y = Math.max(y, this.#h.pop()!);
        this.#a.pop();
        b = this.#b.pop()!;
      }
      highest = isTreeArc ? Math.max(y, highest) : y;
    }
    this.#pushTriple(highest, lowest, b);
    if (isTreeArc) this.#pushTriple(0, END_OF_PATH, 0);
  }

  /** Back in v after the search of the subtree of w. */
  #leaveTreeArc(v: number, slot: number, child: number): void {
    this.#edgeStack.push(this.#treeArc[child]!);
    const w = this.#splitType2(v, slot, child);
    this.#splitType1(v, slot, w);
    if (this.#startsPath(v, slot)) {
      while (this.#topA() !== END_OF_PATH) this.#popTriple();
      this.#popTriple();
    }
    while (this.#topA() !== END_OF_PATH && this.#topB() !== v && this.#highest(v) > this.#topH()) {
      this.#popTriple();
    }
  }

  /** Components between v and a vertex below it; returns the child of v that remains. */
  #splitType2(v: number, slot: number, child: number): number {
    let w = child;
    while (v !== 1) {
      const isPath = this.#degree[w] === 2 && this.#firstHead(w) > w;
      if (this.#topA() !== v && !isPath) break;
      if (this.#topA() === v && this.#father[this.#topB()] === v) {
        this.#popTriple();
        continue;
      }
      w = isPath ? this.#cutPath(v, slot) : this.#cutPair(v, slot);
    }
    return w;
  }

  /** v -> w -> x where w has no other edge: a triangle with the virtual edge (v, x). */
  #cutPath(v: number, slot: number): number {
    const first = this.#edgeStack.pop()!;
    const second = this.#edgeStack.pop()!;
    const x = this.#head[second]!;
    this.#slots.remove(this.#slotOf[second]!);
    this.#degree[x]!--;
    this.#degree[v]!--;
    const virtual = this.#newEdge(v, x);
    this.#closeTriple(POLYGON, first, second, virtual);
    const beside = this.#edgeStack[this.#edgeStack.length - 1];
    if (beside === undefined || this.#tail[beside] !== x || this.#head[beside] !== v) {
      return this.#replaceByTreeArc(v, x, slot, virtual, -1);
    }
    this.#edgeStack.pop();
    this.#removeEdge(beside);
    return this.#replaceByTreeArc(v, x, slot, virtual, beside);
  }

  /** The type 2 pair {a, b} on top of TSTACK, with a = v. */
  #cutPair(v: number, slot: number): number {
    const highest = this.#topH();
    const b = this.#topB();
    this.#popTriple();
    let beside = -1;
    while (this.#edgeStack.length > 0) {
      const e = this.#edgeStack[this.#edgeStack.length - 1]!;
      const x = this.#tail[e]!;
      const y = this.#head[e]!;
      if (x < v || x > highest || y < v || y > highest) break;
      this.#edgeStack.pop();
      if ((x === v && y === b) || (y === v && x === b)) {
        beside = e;
        this.#removeEdge(e);
        continue;
      }
      if (this.#slotOf[e] !== slot) this.#removeEdge(e);
      this.#collect(e);
      this.#degree[x]!--;
      this.#degree[y]!--;
    }
    const virtual = this.#newEdge(v, b);
    this.#closeWith(virtual);
    return this.#replaceByTreeArc(v, b, slot, virtual, beside);
  }

  /** Puts the virtual tree arc (v, x) where the component was, joined with an edge beside it. */
  #replaceByTreeArc(v: number, x: number, slot: number, component: number, beside: number): number {
    let virtual = component;
    if (beside !== -1) {
      virtual = this.#newEdge(v, x);
      this.#closeTriple(BOND, beside, component, virtual);
      this.#degree[x]!--;
      this.#degree[v]!--;
    }
    this.#edgeStack.push(virtual);
    this.#putInto(slot, virtual);
    this.#degree[x]!++;
    this.#degree[v]!++;
    this.#father[x] = v;
    this.#treeArc[x] = virtual;
    this.#isTreeArc[virtual] = 1;
    return x;
  }

  /** The pair {v, low1(w)}, unless all that is left lies in the subtree of w and on the arc into v. */
  #splitType1(v: number, slot: number, w: number): void {
    const { low1, low2, descendants } = this.#palm;
    const low = low1[w]!;
    if (low2[w]! < v || low >= v) return;
    if (this.#father[v] === 1 && this.#slots.next(slot) === -1) return;
    const isBelow = (x: number): boolean => x >= w && x < w + descendants[w]!;
    while (this.#edgeStack.length > 0) {
      const e = this.#edgeStack[this.#edgeStack.length - 1]!;
      const x = this.#tail[e]!;
      const y = this.#head[e]!;
      if (!isBelow(x) && !isBelow(y)) break;
      this.#edgeStack.pop();
      this.#dropHigh(e);
      this.#collect(e);
      this.#degree[x]!--;
      this.#degree[y]!--;
    }
    let virtual = this.#newEdge(v, low);
    this.#closeWith(virtual);
    const beside = this.#edgeStack[this.#edgeStack.length - 1];
    if (beside !== undefined && this.#joins(beside, v, low)) {
      this.#edgeStack.pop();
      if (this.#slotOf[beside] !== slot) this.#slots.remove(this.#slotOf[beside]!);
      const component = virtual;
      virtual = this.#newEdge(v, low);
      this.#closeTriple(BOND, beside, component, virtual);
      this.#highOf[virtual] = this.#highOf[beside]!;
      this.#degree[v]!--;
      this.#degree[low]!--;
    }
    if (low !== this.#father[v]) this.#replaceByFrond(v, low, slot, virtual);
    else this.#joinArcInto(v, slot, virtual);
  }

  #replaceByFrond(v: number, low: number, slot: number, virtual: number): void {
    this.#edgeStack.push(virtual);
    this.#putInto(slot, virtual);
    if (this.#highOf[virtual] === -1 && this.#highest(low) < v) {
      this.#high.pushFront(low, virtual);
      this.#highOf[virtual] = virtual;
    }
    this.#degree[v]!++;
    this.#degree[low]!++;
  }

  /** The virtual edge would be parallel to the tree arc into v: a bond, and a virtual tree arc. */
  #joinArcInto(v: number, slot: number, virtual: number): void {
    this.#slots.remove(slot);
    const arc = this.#treeArc[v]!;
    const joined = this.#newEdge(this.#father[v]!, v);
    this.#closeTriple(BOND, virtual, joined, arc);
    this.#treeArc[v] = joined;
    this.#isTreeArc[joined] = 1;
    this.#putInto(this.#slotOf[arc]!, joined);
  }

  #closeWith(virtual: number): void {
    this.#collect(virtual);
    this.#components.close(this.#components.collected >= 4 ? TRICONNECTED : POLYGON);
  }

  #closeTriple(kind: number, a: number, b: number, c: number): void {
    this.#collect(a);
    this.#collect(b);
    this.#collect(c);
    this.#components.close(kind);
  }

  /** Hands an edge over under the id that it has outside. */
  #collect(e: number): void {
    const arcs = this.#arcCount;
    this.#components.collect(e < arcs ? this.#ids[this.#palm.edge[e]!]! : this.#firstVirtual + e - arcs);
  }

  #newEdge(tail: number, head: number): number {
    const { vertexAt } = this.#palm;
    const id = this.#components.addEdge(vertexAt[tail]!, vertexAt[head]!);
    const e = this.#arcCount + id - this.#firstVirtual;
    this.#tail[e] = tail;
    this.#head[e] = head;
    return e;
  }

  #putInto(slot: number, e: number): void {
    this.#slotEdge[slot] = e;
    this.#slotOf[e] = slot;
  }

  #removeEdge(e: number): void {
    this.#slots.remove(this.#slotOf[e]!);
    this.#dropHigh(e);
  }

  #dropHigh(e: number): void {
    if (this.#highOf[e] !== -1) this.#high.remove(this.#highOf[e]!);
  }

  #highest(v: number): number {
    const entry = this.#high.first(v);
    return entry === -1 ? 0 : this.#tail[entry]!;
  }

  #firstHead(w: number): number {
    return this.#head[this.#slotEdge[this.#slots.first(w)]!]!;
  }

  #joins(e: number, v: number, w: number): boolean {
    const x = this.#tail[e]!;
    const y = this.#head[e]!;
    return (x === v && y === w) || (x === w && y === v);
  }

  #pushTriple(h: number, a: number, b: number): void {
    this.#h.push(h);
    this.#a.push(a);
    this.#b.push(b);
  }

  #popTriple(): void {
    this.#h.pop();
    this.#a.pop();
    this.#b.pop();
  }

  #topH(): number {
    return this.#h[this.#h.length - 1]!;
  }

  #topA(): number {
    return this.#a[this.#a.length - 1]!;
  }

  #topB(): number {
    return this.#b[this.#b.length - 1]!;
  }
}

function grown(array: Int32Array, size: number): Int32Array {
  const larger = new Int32Array(size);
  larger.set(array);
  return larger;
}
