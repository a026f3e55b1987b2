/** Kinds of split components: parallel edges, a cycle, a triconnected graph without parallel edges. */
export const BOND = 0;
export const POLYGON = 1;
export const TRICONNECTED = 2;

/**
 * A graph taken apart into split components. Edges of the graph have the ids 0..given-1 and are in one
 * component each; virtual edges go on from there and are in two each, which they join. In arrays of fixed
 * size: a graph of m edges without parallels has split components of at most 3m - 6 edges in all
 * (Hopcroft and Tarjan 1973, lemma 1), and parallel edges give at most one virtual edge for two given.
 */
export class SplitComponents {
  readonly given: number;
  /** Ends of virtual edge `given + i` as vertices, from < to. */
  readonly virtualFrom: Int32Array;
  readonly virtualTo: Int32Array;
  virtualCount = 0;
  readonly kinds: Uint8Array;
  /** Edges of component c: edges[offsets[c] .. offsets[c + 1]). */
  readonly offsets: Int32Array;
  readonly edges: Int32Array;
  /** Number of closed components. */
  count = 0;
  #filled = 0;

  constructor(given: number) {
    this.given = given;
    this.virtualFrom = new Int32Array(2 * given);
    this.virtualTo = new Int32Array(2 * given);
    this.kinds = new Uint8Array(2 * given);
    this.offsets = new Int32Array(2 * given + 1);
    this.edges = new Int32Array(5 * given);
  }

  /** A new virtual edge; its id. */
  addEdge(a: number, b: number): number {
    this.virtualFrom[this.virtualCount] = Math.min(a, b);
    this.virtualTo[this.virtualCount] = Math.max(a, b);
    return this.given + this.virtualCount++;
  }

  /** Puts an edge into the component that is being collected. */
  collect(edge: number): void {
    this.edges[this.#filled++] = edge;
  }

  /** Number of edges collected since the last component was closed. */
  get collected(): number {
    return this.#filled - this.offsets[this.count]!;
  }

  close(kind: number): void {
    this.kinds[this.count] = kind;
    this.offsets[++this.count] = this.#filled;
  }
}
