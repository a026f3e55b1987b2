import { treeDecomposition } from './tree-decomposition.ts';

/**
 * The largest bag where parallel vertices are merged first, as article 002 merges "nodes from parallel paths into sets":
 * vertices that lie equally far from the sources (longest path) become one, a bag counts all that were merged.
 * Time as `treeDecomposition`.
 *
 * @param edges pairs from -> to with from < to
 */
export function mergedLargestBag(size: number, edges: readonly (readonly [number, number])[]): number {
  const level = new Int32Array(size);
  for (const [from, to] of [...edges].sort((a, b) => a[0] - b[0])) {
    level[to] = Math.max(level[to]!, level[from]! + 1);
  }
  const count = new Float64Array(level.reduce((most, at) => Math.max(most, at), 0) + 1);
  for (const at of level) count[at]!++;
  const merged = edges.map(([from, to]): [number, number] => [level[from]!, level[to]!]);
  const { bags } = treeDecomposition(count.length, merged);
  return bags.reduce(
    (most, bag) =>
      Math.max(
        most,
        bag.reduce((sum, at) => sum + count[at]!, 0),
      ),
    0,
  );
}
