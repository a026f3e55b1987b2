/** Kinds of split components: parallel edges, a cycle, a triconnected graph without parallel edges. */
export const BOND = 0;
export const POLYGON = 1;
export const TRICONNECTED = 2;

/**
 * A graph taken apart into split components. Every given edge is in one component, every virtual edge
 * in two, which it joins. Edge ids go on behind the given ones.
 */
export class SplitComponents {
  /** By edge, as vertices. */
  readonly from: number[];
  readonly to: number[];
  readonly kinds: number[] = [];
  /** Edges of component c: edges[offsets[c] .. offsets[c + 1]). */
  readonly offsets: number[] = [0];
  readonly edges: number[] = [];

  constructor(from: Iterable<number>, to: Iterable<number>) {
    this.from = [...from];
    this.to = [...to];
  }

  /** A new virtual edge; its id. */
  addEdge(from: number, to: number): number {
    this.from.push(from);
    return this.to.push(to) - 1;
  }

  /** Puts an edge into the component that is being collected. */
  collect(edge: number): void {
    this.edges.push(edge);
  }

  /** Number of edges collected since the last component was closed. */
  get collected(): number {
    return this.edges.length - this.offsets[this.offsets.length - 1]!;
  }

  close(kind: number): void {
    this.kinds.push(kind);
    this.offsets.push(this.edges.length);
  }

  /** A whole component at once. */
  add(kind: number, ...edges: readonly number[]): void {
    for (const edge of edges) this.collect(edge);
    this.close(kind);
  }
}
