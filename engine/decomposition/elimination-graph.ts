/**
 * An undirected graph that vertices are eliminated from, smallest fill first. The number of edges among
 * the neighbours of each vertex is kept up to date edge by edge, so that no neighbourhood is ever
 * searched for what it lacks: vertices that everything is joined to stay affordable.
 */
export class EliminationGraph {
  readonly #adjacent: Set<number>[];
  /** Edges among the neighbours of each vertex. */
  readonly #among: Float64Array;
  readonly #gone: Uint8Array;
  /** Heap of keys; a key is stale when it is not the vertex's latest. */
  readonly #heap: Key[] = [];

  constructor(size: number, edges: Iterable<readonly [from: number, to: number]>) {
    this.#adjacent = Array.from({ length: size }, () => new Set<number>());
    this.#among = new Float64Array(size);
    this.#gone = new Uint8Array(size);
    for (const [a, b] of edges) if (a !== b && !this.#adjacent[a]!.has(b)) this.#join(a, b, null);
    for (let v = 0; v < size; v++) this.#push(v);
  }

  /** The vertex to eliminate next, or -1 when none is left. */
  next(): number {
    for (;;) {
      const key = this.#pop();
      if (key === undefined) return -1;
      const { vertex, fill, degree } = key;
      if (this.#gone[vertex] === 1) continue;
      if (this.#fill(vertex) === fill && this.#adjacent[vertex]!.size === degree) return vertex;
    }
  }

  /** Joins the neighbours of a vertex with each other, takes it out, and returns them. */
  eliminate(vertex: number): number[] {
    const neighbours = [...this.#adjacent[vertex]!];
    const touched = new Set(neighbours);
    for (let i = 0; i < neighbours.length; i++) {
      for (let j = i + 1; j < neighbours.length; j++) {
        const a = neighbours[i]!;
        const b = neighbours[j]!;
        if (!this.#adjacent[a]!.has(b)) this.#join(a, b, touched);
      }
    }
    this.#gone[vertex] = 1;
    for (const u of neighbours) {
      this.#adjacent[u]!.delete(vertex);
      // All other neighbours of the vertex are neighbours of u by now.
      this.#among[u]! -= neighbours.length - 1;
    }
    touched.delete(vertex);
    for (const u of touched) this.#push(u);
    return neighbours;
  }

  #fill(v: number): number {
    const degree = this.#adjacent[v]!.size;
    return (degree * (degree - 1)) / 2 - this.#among[v]!;
  }

  /** Adds an edge; `touched` collects the vertices whose fill it changes. */
  #join(a: number, b: number, touched: Set<number> | null): void {
    const ofA = this.#adjacent[a]!;
    const ofB = this.#adjacent[b]!;
    const [few, many] = ofA.size < ofB.size ? [ofA, ofB] : [ofB, ofA];
    let common = 0;
    for (const c of few) {
      if (!many.has(c)) continue;
      common++;
      this.#among[c]!++;
      touched?.add(c);
    }
    this.#among[a]! += common;
    this.#among[b]! += common;
    ofA.add(b);
    ofB.add(a);
  }

  #push(vertex: number): void {
    const heap = this.#heap;
    heap.push({ vertex, fill: this.#fill(vertex), degree: this.#adjacent[vertex]!.size });
    for (let i = heap.length - 1; i > 0; ) {
      const up = (i - 1) >> 1;
      if (!isBefore(heap[i]!, heap[up]!)) return;
      [heap[up], heap[i]] = [heap[i]!, heap[up]!];
      i = up;
    }
  }

  #pop(): Key | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return top;
    heap[0] = last;
    for (let i = 0; ; ) {
      let least = i;
      for (const child of [2 * i + 1, 2 * i + 2]) {
        if (child < heap.length && isBefore(heap[child]!, heap[least]!)) least = child;
      }
      if (least === i) return top;
      [heap[least], heap[i]] = [heap[i]!, heap[least]!];
      i = least;
    }
  }
}

interface Key {
  readonly vertex: number;
  readonly fill: number;
  readonly degree: number;
}

function isBefore(a: Key, b: Key): boolean {
  return (a.fill - b.fill || a.degree - b.degree || a.vertex - b.vertex) < 0;
}
