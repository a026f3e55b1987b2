import { type Graph, predecessorsOf, successorsOf } from '../graph/graph.ts';

/** By vertex: edges of the longest path from the source, so that everything ready at once has one level. */
function earliest(graph: Graph): Int32Array {
  const level = new Int32Array(graph.size);
  for (let v = 1; v < graph.size; v++) {
    for (const u of predecessorsOf(graph, v)) level[v] = Math.max(level[v]!, level[u]! + 1);
  }
  return level;
}

/** By vertex: the last level from which the target is still reached in time. */
function latest(graph: Graph, depth: number): Int32Array {
  const level = new Int32Array(graph.size).fill(depth);
  for (let v = graph.size - 2; v >= 0; v--) {
    for (const w of successorsOf(graph, v)) level[v] = Math.min(level[v]!, level[w]! - 1);
  }
  return level;
}

/** As soon as possible: every vertex in the first level in which its inputs are there (002). Time O(V log V + E). */
export function asapOrder(graph: Graph): Int32Array {
  const level = earliest(graph);
  return ordered(graph, (a, b) => level[a]! - level[b]! || a - b);
}

/**
 * As late as possible: every vertex in the last level in which its consumers can still wait for it; within a level
 * those last that could have been computed earliest, because they can wait the longest (002). Time O(V log V + E).
 */
export function alapOrder(graph: Graph): Int32Array {
  const soon = earliest(graph);
  const late = latest(graph, soon[graph.size - 1]!);
  return ordered(graph, (a, b) => late[a]! - late[b]! || soon[b]! - soon[a]! || a - b);
}

/** The order of the network's own vertices, which is the one that PyTorch executes. */
export function givenOrder(graph: Graph): Int32Array {
  return ordered(graph, (a, b) => a - b);
}

function ordered(graph: Graph, before: (a: number, b: number) => number): Int32Array {
  return Int32Array.from({ length: graph.size - 1 }, (_, i) => i + 1).sort(before);
}
