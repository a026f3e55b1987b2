import { sortByKey } from '../counting-sort.ts';
import type { TensorGraph } from '../tensor-graph.ts';
import { buildPalmTree } from './palm-tree.ts';
import { splitBiconnected } from './path-search.ts';
import { BOND, SplitComponents } from './split-components.ts';

/**
 * The split components of a computation graph with one more edge from source to target, whose id is
 * `graph.edgeCount`. That edge makes the graph biconnected: a vertex that cut it would be passed twice
 * by the path from source to target through what it cuts off. A graph of a single edge gives one bond
 * of two edges. Time and space O(V + E).
 */
export function splitGraph(graph: TensorGraph): SplitComponents {
  const components = new SplitComponents([...graph.edgeFrom, 0], [...graph.edgeTo, graph.size - 1]);
  const edges = splitParallelEdges(graph.size, components);
  if (edges.length > 1) {
    const { from, to } = components;
    const palm = buildPalmTree({ size: graph.size, edges, from, to });
    // Split components of m edges without parallels have at most 3m - 6 edges, virtual ones twice.
    splitBiconnected(palm, components, from.length + edges.length);
  }
  return components;
}

/**
 * Takes each group of parallel edges off as a bond. Returns the edges that stand for all: one between
 * any two vertices, virtual where it replaces a group (unless nothing but the group is there).
 */
function splitParallelEdges(size: number, components: SplitComponents): Int32Array {
  const from = Int32Array.from(components.from);
  const to = Int32Array.from(components.to);
  const byTo = sortByKey(
    Int32Array.from(to, (_, e) => e),
    to,
    size,
  ).sorted;
  const sorted = sortByKey(
    byTo,
    byTo.map((e) => from[e]!),
    size,
  ).sorted;
  const single: number[] = [];
  for (let start = 0; start < sorted.length; ) {
    const first = sorted[start]!;
    let end = start + 1;
    while (end < sorted.length && from[sorted[end]!] === from[first] && to[sorted[end]!] === to[first]) end++;
    if (end === start + 1) single.push(first);
    else {
      for (let i = start; i < end; i++) components.collect(sorted[i]!);
      if (end - start < sorted.length) {
        const virtual = components.addEdge(from[first]!, to[first]!);
        components.collect(virtual);
        single.push(virtual);
      }
      components.close(BOND);
    }
    start = end;
  }
  return Int32Array.from(single);
}
