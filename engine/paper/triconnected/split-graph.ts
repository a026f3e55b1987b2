import type { TensorGraph } from '../tensor-graph.ts';
import { sortByKey } from '../../typed-arrays.ts';
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
  const edgeCount = graph.edgeCount + 1;
  const from = new Int32Array(edgeCount);
  const to = new Int32Array(edgeCount);
  from.set(graph.edgeFrom);
  to.set(graph.edgeTo);
  to[graph.edgeCount] = graph.size - 1;

  const components = new SplitComponents(edgeCount);
  const byTarget = new Int32Array(edgeCount);
  byTarget.set(graph.inEdges);
  byTarget[graph.edgeCount] = graph.edgeCount;
  const single = splitParallelEdges(from, to, sortByKey(from, graph.size, byTarget).sorted, components);
  if (single.count > 1) {
    const palm = buildPalmTree({ size: graph.size, from: single.from, to: single.to });
    splitBiconnected(palm, single.id, components);
  }
  return components;
}

/** Edges of which no two are parallel, sorted by both ends, and the ids that they have outside. */
interface SingleEdges {
  readonly count: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly id: Int32Array;
}

/**
 * Takes each group of parallel edges off as a bond, with a virtual edge in its place (unless nothing
 * but the group is there).
 *
 * @param id all edges, sorted by both ends; overwritten
 */
function splitParallelEdges(
  from: Int32Array,
  to: Int32Array,
  id: Int32Array,
  components: SplitComponents,
): SingleEdges {
  const singleFrom = new Int32Array(id.length);
  const singleTo = new Int32Array(id.length);
  let count = 0;
  for (let start = 0; start < id.length; count++) {
    const a = from[id[start]!]!;
    const b = to[id[start]!]!;
    let end = start + 1;
    while (end < id.length && from[id[end]!] === a && to[id[end]!] === b) end++;
    let single = id[start]!;
    if (end > start + 1) {
      for (let i = start; i < end; i++) components.collect(id[i]!);
      if (end - start < id.length) {
        single = components.addEdge(a, b);
        components.collect(single);
      }
      components.close(BOND);
    }
    // Written behind what is still to be read.
    id[count] = single;
    singleFrom[count] = a;
    singleTo[count] = b;
    start = end;
  }
  return {
    count,
    from: singleFrom.subarray(0, count),
    to: singleTo.subarray(0, count),
    id: id.subarray(0, count),
  };
}
