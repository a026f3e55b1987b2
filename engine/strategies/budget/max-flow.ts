/** Bytes below this are rounding of prices, not capacity. */
const TINY = 1e-6;

/**
 * Dinic's maximum flow between two nodes, for the minimum cut. Edges stay; capacities can be set anew.
 * O(V² E) at worst, near linear on the shallow networks that it is used for.
 */
export class FlowNetwork {
  readonly #nodes: number;
  readonly #to: number[] = [];
  readonly #capacity: number[] = [];
  readonly #edges: number[][];
  readonly #level: Int32Array;
  readonly #next: Int32Array;

  constructor(nodes: number) {
    this.#nodes = nodes;
    this.#edges = Array.from({ length: nodes }, () => []);
    this.#level = new Int32Array(nodes);
    this.#next = new Int32Array(nodes);
  }

  /** Returns the edge's number. */
  add(from: number, to: number): number {
    const edge = this.#to.length;
    this.#to.push(to, from);
    this.#capacity.push(0, 0);
    this.#edges[from]!.push(edge);
    this.#edges[to]!.push(edge + 1);
    return edge;
  }

  /** Sets an edge's capacity and clears its flow. */
  set(edge: number, capacity: number): void {
    this.#capacity[edge] = capacity;
    this.#capacity[edge + 1] = 0;
  }

  /** 1 for nodes on the source's side of a minimum cut, the smallest such side. */
  minimumCut(source: number, sink: number): Uint8Array {
    while (this.#layer(source, sink)) {
      this.#next.fill(0);
      while (this.#augment(source, sink)) {
        // Blocking flow: until no path of the layers is left.
      }
    }
    return Uint8Array.from(this.#level, (level) => (level >= 0 ? 1 : 0));
  }

  #layer(source: number, sink: number): boolean {
    const level = this.#level.fill(-1);
    const queue = [source];
    level[source] = 0;
    for (let i = 0; i < queue.length; i++) {
      const node = queue[i]!;
      for (const edge of this.#edges[node]!) {
        const to = this.#to[edge]!;
        if (level[to]! >= 0 || this.#capacity[edge]! <= TINY) continue;
        level[to] = level[node]! + 1;
        queue.push(to);
      }
    }
    return level[sink]! >= 0;
  }

  /** One path along the layers, with a stack instead of recursion: graphs may be deep. */
  #augment(source: number, sink: number): boolean {
    const path: number[] = [];
    let node = source;
    while (node !== sink) {
      const edges = this.#edges[node]!;
      let advanced = false;
      while (this.#next[node]! < edges.length) {
        const edge = edges[this.#next[node]!]!;
        const to = this.#to[edge]!;
        if (this.#capacity[edge]! > TINY && this.#level[to] === this.#level[node]! + 1) {
          path.push(edge);
          node = to;
          advanced = true;
          break;
        }
        this.#next[node]!++;
      }
      if (advanced) continue;
      if (node === source) return false;
      const back = path.pop()!;
      node = this.#to[back ^ 1]!;
      this.#next[node]!++;
    }
    let least = Number.POSITIVE_INFINITY;
    for (const edge of path) least = Math.min(least, this.#capacity[edge]!);
    for (const edge of path) {
      this.#capacity[edge]! -= least;
      this.#capacity[edge ^ 1]! += least;
    }
    return true;
  }

  get nodes(): number {
    return this.#nodes;
  }
}
