import { type Graph, predecessorsOf, successorsOf } from '../../engine/graph/graph.ts';

/**
 * The least peak of all orders that compute every vertex of a graph of bytes once, by trying every lower set; or,
 * with `again`, of all games, in which a pebble may be placed again. For up to about 14 vertices.
 */
export function leastPebbleBytes(graph: Graph, again = false): number {
  const masks = (of: (v: number) => Int32Array): number[] =>
    Array.from({ length: graph.size }, (_, v) => of(v).reduce((mask, u) => mask | (1 << u), 0) & ~1);
  const inputs = masks((v) => predecessorsOf(graph, v));
  const consumers = masks((v) => successorsOf(graph, v));
  const target = graph.size - 1;
  const weigh = (set: number): number => {
    let bytes = graph.bytes[0]!;
    for (let v = 1; v < graph.size; v++) if ((set >> v) & 1) bytes += graph.bytes[v]!;
    return bytes;
  };
  /** Sets of vertices, computed ones (or, with `again`, pebbled ones), and the least peak that reaches them. */
  const best = new Map<number, number>([[0, 0]]);
  const open = [0];
  for (let set = open.pop(); set !== undefined; set = open.pop()) {
    const reached = best.get(set)!;
    const visit = (next: number, peak: number): void => {
      if (peak >= (best.get(next) ?? Number.POSITIVE_INFINITY)) return;
      best.set(next, peak);
      open.push(next);
    };
    for (let v = 1; v < graph.size; v++) {
      const bit = 1 << v;
      if (set & bit) {
        if (again) visit(set & ~bit, reached);
        continue;
      }
      if (inputs[v]! & ~set) continue;
      let held = set | bit;
      if (!again) {
        held = bit;
        for (let u = 1; u < graph.size; u++) if ((set >> u) & 1 && consumers[u]! & ~set) held |= 1 << u;
      }
      visit(set | bit, Math.max(reached, weigh(held)));
    }
  }
  let least = Number.POSITIVE_INFINITY;
  for (const [set, peak] of best) if ((set >> target) & 1) least = Math.min(least, peak);
  return least;
}
