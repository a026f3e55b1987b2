import { sortByKey } from '../typed-arrays.ts';

/**
 * Maximum flow and minimum cut between two nodes by Dinic's algorithm: breadth-first levels, then blocking
 * flows by a depth-first walk with a stack instead of recursion, because graphs may be deep. Arcs are laid
 * down once; capacities can be set again for another flow. Time O(nodes^2 x arcs) at worst, near linear on
 * the shallow networks that it is used for; space O(nodes + arcs).
 */
export class FlowNetwork {
  readonly #nodes: number;
  /** Room below this counts as none. */
  readonly #tiny: number;
  /** Arc e and its reverse are edges 2e and 2e + 1; an edge's tail is the head of its reverse. */
  readonly #head: number[] = [];
  readonly #residual: number[] = [];
  /** Edges by tail, made when the first flow is asked for. */
  #offsets: Int32Array | null = null;
  #edges = new Int32Array(0);
  readonly #level: Int32Array;
  readonly #next: Int32Array;
  readonly #queue: Int32Array;

  /** @param tiny for capacities that are rounded: what is left below it is rounding, not capacity */
  constructor(nodes: number, tiny = 0) {
    this.#nodes = nodes;
    this.#tiny = tiny;
    this.#level = new Int32Array(nodes);
    this.#next = new Int32Array(nodes);
    this.#queue = new Int32Array(nodes);
  }

  /**
   * Adds an arc and returns its number.
   *
   * @param capacity not negative; infinite ones are allowed if no path has only such arcs
   */
  add(from: number, to: number, capacity = 0): number {
    this.#head.push(to, from);
    this.#residual.push(capacity, 0);
    this.#offsets = null;
    return this.#head.length / 2 - 1;
  }

  /** Sets an arc's capacity and clears its flow. */
  set(arc: number, capacity: number): void {
    this.#residual[2 * arc] = capacity;
    this.#residual[2 * arc + 1] = 0;
  }

  /** The value of a maximum flow. It stays in the network until capacities are set again. */
  maximumFlow(source: number, sink: number): number {
    const offsets = this.#offsets ?? this.#index();
    let flow = 0;
    while (this.#reaches(source, sink, offsets)) {
      this.#next.set(offsets.subarray(0, this.#nodes));
      for (;;) {
        const amount = this.#augment(source, sink, offsets);
        if (amount === 0) break;
        flow += amount;
      }
    }
    return flow;
  }

  /** 1 for nodes on the source's side of a minimum cut, the smallest such side. */
  minimumCut(source: number, sink: number): Uint8Array {
    this.maximumFlow(source, sink);
    return Uint8Array.from(this.#level, (level) => (level >= 0 ? 1 : 0));
  }

  #index(): Int32Array {
    const head = this.#head;
    const tails = new Int32Array(head.length);
    for (let e = 0; e < head.length; e++) tails[e] = head[e ^ 1]!;
    const { sorted, offsets } = sortByKey(tails, this.#nodes);
    this.#edges = sorted;
    this.#offsets = offsets;
    return offsets;
  }

  #reaches(source: number, sink: number, offsets: Int32Array): boolean {
    const queue = this.#queue;
    const level = this.#level.fill(-1);
    level[source] = 0;
    queue[0] = source;
    for (let at = 0, end = 1; at < end; at++) {
      const v = queue[at]!;
      for (let i = offsets[v]!; i < offsets[v + 1]!; i++) {
        const edge = this.#edges[i]!;
        const to = this.#head[edge]!;
        if (level[to] !== -1 || this.#residual[edge]! <= this.#tiny) continue;
        level[to] = level[v]! + 1;
        queue[end++] = to;
      }
    }
    return level[sink] !== -1;
  }

  /** Fills one path along the levels and returns by how much; 0 when none is left. */
  #augment(source: number, sink: number, offsets: Int32Array): number {
    const [head, residual, level, next] = [this.#head, this.#residual, this.#level, this.#next];
    const path: number[] = [];
    for (let v = source; v !== sink; ) {
      let step = -1;
      for (; next[v]! < offsets[v + 1]!; next[v]!++) {
        const edge = this.#edges[next[v]!]!;
        if (residual[edge]! <= this.#tiny || level[head[edge]!] !== level[v]! + 1) continue;
        step = edge;
        break;
      }
      if (step >= 0) {
        path.push(step);
        v = head[step]!;
        continue;
      }
      const back = path.pop();
      if (back === undefined) return 0;
      v = head[back ^ 1]!;
      next[v]!++;
    }
    let amount = Number.POSITIVE_INFINITY;
    for (const edge of path) amount = Math.min(amount, residual[edge]!);
    for (const edge of path) {
      residual[edge]! -= amount;
      residual[edge ^ 1]! += amount;
    }
    return amount;
  }
}
