/**
 * A lower bound of the treewidth: contract a vertex of least degree into its neighbour of least degree, again and
 * again; a minor's least degree is never above the treewidth of the whole (minor-min-width, Gogate & Dechter 2004).
 * Exact on chains, cycles, cliques and bands. Time O(V^2 + V d), space O(V + E): for small graphs.
 *
 * @param edges pairs of vertices in 0..size-1; loops and repeats count nothing
 */
export function treewidthBound(size: number, edges: Iterable<readonly [from: number, to: number]>): number {
  const adjacent = Array.from({ length: size }, () => new Set<number>());
  for (const [a, b] of edges) {
    if (a === b) continue;
    adjacent[a]!.add(b);
    adjacent[b]!.add(a);
  }
  const left = new Set(adjacent.keys());
  const least = (among: Iterable<number>): number => {
    let found = -1;
    for (const v of among) if (found < 0 || adjacent[v]!.size < adjacent[found]!.size) found = v;
    return found;
  };
  let bound = 0;
  while (left.size > 1) {
    const v = least(left);
    const neighbours = adjacent[v]!;
    bound = Math.max(bound, neighbours.size);
    const into = least(neighbours);
    for (const u of neighbours) {
      adjacent[u]!.delete(v);
      if (into < 0 || u === into) continue;
      adjacent[u]!.add(into);
      adjacent[into]!.add(u);
    }
    left.delete(v);
  }
  return bound;
}
