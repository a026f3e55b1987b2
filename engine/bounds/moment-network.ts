import { FlowNetwork } from '../flow/flow-network.ts';
import { type Graph, predecessorsOf, successorsOf } from '../graph/graph.ts';
import { reachedFrom, reaching } from '../graph/reach.ts';
import { type MemoryModel, needsOf } from '../ops/memory-model.ts';
import { below, type Line } from './lines.ts';
import { gradientsAt, storageBytesOf, valuesOf } from './values.ts';

/** Choice of a cut: work done again after the moment, and bytes live at it. */
export interface Choice {
  readonly work: number;
  /** Beside what lives at the moment whatever is chosen. */
  readonly bytes: number;
}

const DESCENDANT = 1;
const ANCESTOR = 2;
const OTHER = 0;
const SOURCE = 0;
const SINK = 1;
/** Room for all capacities together: their sums stay exact in a double. */
const MAX_CAPACITY = 2 ** 50;

/**
 * Values that every accepted schedule has live while backward `at` runs, or forwards after it.
 *
 * Let a *value* be a vertex with all views of it, which live in one storage. At the moment (after the allocations of
 * backward `at`) choose for each value whether it is
 *
 * - wanted: backward of a vertex that has not run needs it, or a value forwarded after the moment reads it;
 * - forwarded after the moment, which costs its work. Whatever is wanted and not, lives at the moment.
 *
 * All descendants of `at` have run backward, and neither `at` nor an ancestor of it has. Of the others any set may have
 * run that holds with each vertex all its consumers. Gradients live of vertices that have not run and of which a consumer
 * has. Auxiliaries of a vertex that has not run live, or it is forwarded after the moment. Every vertex was forwarded
 * before the target ran backward, so all work after the moment is work done again. For every price of bytes in work a
 * minimum cut therefore gives the least of work + price x bytes of all schedules: a line below the trade-off.
 *
 * Two values share a storage only where one overwrote the other in place, and then one of them is gone. Work of views
 * is left out, and auxiliaries of views; both can only lower the figure.
 *
 * Capacities are integers, rounded down, so that the flow is exact. Nodes 2 a value and 2 a vertex; built once, O(V + E).
 */
export class MomentNetwork {
  readonly #network: FlowNetwork;
  /** Arcs that cost work and bytes when they are cut, and those that may not be. */
  readonly #work: (readonly [arc: number, amount: number])[] = [];
  readonly #bytes: (readonly [arc: number, amount: number])[] = [];
  readonly #endless: number[] = [];
  /** By arc of `#work` and `#bytes`: between which nodes. */
  readonly #ends = new Map<number, readonly [from: number, to: number]>();
  readonly #fixedBytes: number;
  readonly #totalWork: number;
  readonly #totalBytes: number;
  readonly size: number;

  constructor(graph: Graph, memory: MemoryModel, work: ArrayLike<number>, at: number) {
    const { size } = graph;
    const relation = relationsTo(graph, at);
    // Nodes of value v: wanted, forwarded. Of vertex v: not yet run backward, and that its gradient is not there.
    const wanted = (v: number): number => 2 + 4 * v;
    const forwarded = (v: number): number => 3 + 4 * v;
    const waiting = (v: number): number => 4 + 4 * v;
    const clear = (v: number): number => 5 + 4 * v;
    this.#network = new FlowNetwork(2 + 4 * size);
    this.size = size + graph.edgeCount;
    const value = valuesOf(memory, size);
    const storage = storageBytesOf(memory, size);
    const mustLive = new Set<number>();
    for (const u of needsOf(memory, at)) if (value[u] !== 0) mustLive.add(value[u]!);
    const inputs = new Set(predecessorsOf(graph, at));

    let fixed = (memory.outputBytes[0] ?? 0) + (memory.auxBytes[at] ?? 0) + gradientsAt(graph, memory, at);
    for (const v of mustLive) fixed += storage[v]!;
    this.#fixedBytes = fixed;

    for (let v = 1; v < size; v++) {
      if (value[v] !== v) continue;
      // A value that lives at the moment anyway is there without work.
      if (!mustLive.has(v)) this.#costs(this.#bytes, wanted(v), forwarded(v), storage[v]!);
      this.#costs(this.#work, forwarded(v), SINK, work[v] ?? 0);
      for (const u of predecessorsOf(graph, v)) this.#wants(forwarded(v), u, value, mustLive, wanted);
    }
    for (let v = 1; v < size; v++) {
      if (relation[v] === DESCENDANT || v === at) continue;
      const isAncestor = relation[v] === ANCESTOR;
      const node = isAncestor ? SOURCE : waiting(v);
      for (const u of needsOf(memory, v)) this.#wants(node, u, value, mustLive, wanted);
      if (value[v] === v) this.#costs(this.#bytes, node, forwarded(v), memory.auxBytes[v] ?? 0);
      const consumers = successorsOf(graph, v);
      const mayHaveRun = consumers.some((w) => relation[w] === OTHER || relation[w] === DESCENDANT);
      if (mayHaveRun && !inputs.has(v)) {
        this.#costs(this.#bytes, node, clear(v), memory.gradientBytes[v] ?? 0);
        for (const w of consumers) {
          if (relation[w] === DESCENDANT) this.#implies(clear(v), SINK);
          else if (relation[w] === OTHER) this.#implies(clear(v), waiting(w));
        }
      }
      if (isAncestor) continue;
      // Backward v waits for all its consumers.
      for (const w of consumers) if (relation[w] === OTHER) this.#implies(waiting(w), waiting(v));
    }
    this.#totalWork = sum(this.#work);
    this.#totalBytes = sum(this.#bytes);
  }

  get totalWork(): number {
    return this.#totalWork;
  }

  get totalBytes(): number {
    return this.#totalBytes;
  }

  /** The line at a price of bytes in work, and what the cut chose. */
  at(price: number): { line: Line; choice: Choice } {
    const room = this.#totalWork + price * this.#totalBytes + 1;
    // A power of two, so that scaling itself rounds nothing.
    const scale = 2 ** Math.floor(Math.log2(MAX_CAPACITY / room));
    const network = this.#network;
    for (const [arc, amount] of this.#work) network.set(arc, Math.floor(below(scale * amount)));
    for (const [arc, amount] of this.#bytes) network.set(arc, Math.floor(below(scale * price * amount)));
    for (const arc of this.#endless) network.set(arc, 2 * MAX_CAPACITY);
    const flow = network.maximumFlow(SOURCE, SINK);
    const side = network.minimumCut(SOURCE, SINK);
    const cut = (arcs: readonly (readonly [number, number])[]): number => {
      let total = 0;
      for (const [arc, amount] of arcs) {
        const [from, to] = this.#ends.get(arc)!;
        if (side[from] === 1 && side[to] === 0) total += amount;
      }
      return total;
    };
    const work = cut(this.#work);
    const bytes = cut(this.#bytes);
    return { line: { sum: flow / scale, price, fixedBytes: this.#fixedBytes }, choice: { work, bytes } };
  }

  #wants(
    node: number,
    u: number,
    value: Int32Array,
    mustLive: ReadonlySet<number>,
    wanted: (v: number) => number,
  ): void {
    const v = value[u]!;
    if (v !== 0 && !mustLive.has(v)) this.#implies(node, wanted(v));
  }

  #implies(from: number, to: number): void {
    this.#endless.push(this.#network.add(from, to));
  }

  #costs(arcs: (readonly [number, number])[], from: number, to: number, amount: number): void {
    if (amount <= 0) return;
    const arc = this.#network.add(from, to);
    arcs.push([arc, amount]);
    this.#ends.set(arc, [from, to]);
  }
}

function sum(amounts: readonly (readonly [number, number])[]): number {
  return amounts.reduce((total, [, amount]) => total + amount, 0);
}

function relationsTo(graph: Graph, at: number): Uint8Array {
  const isBelow = reachedFrom(graph, at);
  return reaching(graph, at).map((isAbove, v) =>
    isAbove === 1 ? ANCESTOR : isBelow[v] === 1 ? DESCENDANT : OTHER,
  );
}
