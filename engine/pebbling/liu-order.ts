import { type Graph, idOf, predecessorsOf, successorsOf } from '../graph/graph.ts';
import type { MemoryModel } from '../ops/memory-model.ts';

/** Vertices in a row, joined without copying. */
type Run = { readonly vertex: number } | { readonly first: Run; readonly second: Run };

/** Part of an order of a subtree: it climbs to `hill` and ends at `valley`, in bytes above the start of the subtree. */
interface Slope {
  readonly hill: number;
  readonly valley: number;
  readonly run: Run;
}

/**
 * The order of least peak for trees: vertices of which each but the target feeds one other, leaves reading nothing but
 * the source.
 *
 * - Source: Liu, "An Application of Generalized Tree Pebbling to Sparse Matrix Factorization", 1987, which article 002
 *   cites as the efficient exact strategy for trees.
 * - Guarantee: the least peak of all orders that compute every vertex once, subtrees interleaved where that helps.
 * - Time O(V^2) at worst (children merged by sorting what is left of their slopes), V log V on balanced trees; space O(V).
 * - Assumptions: none beyond a tree; a vertex costs what its storage does (in-place operations and views nothing).
 * - Departures: none. The order of a subtree is cut where it is lowest after its highest point, again and again;
 *   slopes of several subtrees are merged by how far they go down, the furthest first.
 *
 * @returns the order of all vertices but the source, or one sentence that says why the graph is no tree
 */
export function liuOrder(graph: Graph, memory: MemoryModel): Int32Array | string {
  for (let v = 1; v < graph.size - 1; v++) {
    const consumers = new Set(successorsOf(graph, v)).size;
    if (consumers !== 1) return `the network is not a tree: ${idOf(graph, v)} feeds ${consumers} operations`;
  }
  const slopes: (readonly Slope[])[] = [];
  const residue = new Float64Array(graph.size);
  for (let v = 1; v < graph.size; v++) {
    const children = [...new Set(predecessorsOf(graph, v))].filter((u) => u > 0);
    const taken = memory.takesOver[v]!;
    const shared = taken >= 0 ? taken : memory.viewOf[v]!;
    const own = shared >= 0 ? 0 : memory.outputBytes[v]!;
    // A view's value stays where v does; the source is held anyway.
    residue[v] = shared > 0 ? residue[shared]! : own;
    const merged = mergedSlopes(children, slopes);
    let before = 0;
    for (const u of children) before += residue[u]!;
    pushSlope(merged, { hill: before + own, valley: residue[v]!, run: { vertex: v } });
    for (const u of children) slopes[u] = [];
    slopes[v] = merged;
  }
  return written(slopes[graph.size - 1]!, graph.size - 1);
}

/** The slopes of sibling subtrees as one, those first that go down the furthest. */
function mergedSlopes(children: readonly number[], slopes: readonly (readonly Slope[])[]): Slope[] {
  if (children.length === 1) return [...slopes[children[0]!]!];
  const all: { readonly slope: Slope; readonly start: number; readonly drop: number }[] = [];
  for (const u of children) {
    let start = 0;
    for (const slope of slopes[u]!) {
      all.push({ slope, start, drop: slope.hill - slope.valley });
      start = slope.valley;
    }
  }
  // Drops fall within each subtree, so that a stable sort keeps its slopes in order.
  all.sort((a, b) => b.drop - a.drop);
  const merged: Slope[] = [];
  let base = 0;
  for (const { slope, start } of all) {
    const ground = base - start;
    base = ground + slope.valley;
    pushSlope(merged, { hill: ground + slope.hill, valley: base, run: slope.run });
  }
  return merged;
}

/** Adds a slope at the end; what neither tops what follows nor lies below it is no slope of its own. */
function pushSlope(slopes: Slope[], next: Slope): void {
  let { hill, valley, run } = next;
  for (let top = slopes.at(-1); top !== undefined; top = slopes.at(-1)) {
    if (top.valley < valley && top.hill > hill) break;
    hill = Math.max(hill, top.hill);
    run = { first: top.run, second: run };
    slopes.pop();
  }
  slopes.push({ hill, valley, run });
}

function written(slopes: readonly Slope[], count: number): Int32Array {
  const order = new Int32Array(count);
  let place = 0;
  const open: Run[] = slopes.map(({ run }) => run).reverse();
  for (let run = open.pop(); run !== undefined; run = open.pop()) {
    if ('vertex' in run) order[place++] = run.vertex;
    else open.push(run.second, run.first);
  }
  return order;
}
