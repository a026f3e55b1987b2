import type { LeveledGraph } from './levels.ts';

const SWEEPS = 8;

/**
 * The nodes of every level from left to right with few crossings: barycentre sweeps down and up, the best
 * order seen is kept (Sugiyama et al. 1981). Time O(sweeps x E log V).
 */
export function orderLevels(graph: LeveledGraph): number[][] {
  let levels = firstOrder(graph);
  const place = new Int32Array(graph.size);
  settle(levels, place);
  let best = levels;
  let fewest = crossings(graph, levels, place);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
    const down = sweep % 2 === 0;
    levels = levels.map((level) => [...level]);
    for (let i = 1; i < levels.length; i++) {
      const at = down ? i : levels.length - 1 - i;
      sortByNeighbours(levels[at]!, down ? graph.above : graph.below, place);
    }
    settle(levels, place);
    const found = crossings(graph, levels, place);
    if (found < fewest) {
      fewest = found;
      best = levels;
    }
  }
  return best;
}

/** Depth first, so that what belongs together starts side by side. */
function firstOrder(graph: LeveledGraph): number[][] {
  const levels: number[][] = Array.from({ length: graph.levelCount }, () => []);
  const seen = new Uint8Array(graph.size);
  for (let start = 0; start < graph.realCount; start++) {
    const open = [start];
    for (let v = open.pop(); v !== undefined; v = open.pop()) {
      if (seen[v] === 1) continue;
      seen[v] = 1;
      levels[graph.level[v]!]!.push(v);
      for (const w of [...graph.below[v]!].reverse()) open.push(w);
    }
  }
  return levels;
}

function settle(levels: readonly (readonly number[])[], place: Int32Array): void {
  for (const level of levels) {
    for (let i = 0; i < level.length; i++) place[level[i]!] = i;
  }
}

function sortByNeighbours(
  level: number[],
  neighbours: readonly (readonly number[])[],
  place: Int32Array,
): void {
  const weight = new Map<number, number>();
  level.forEach((v, i) => {
    const near = neighbours[v]!;
    let sum = 0;
    for (const u of near) sum += place[u]!;
    weight.set(v, near.length === 0 ? i : sum / near.length);
  });
  level.sort((a, b) => weight.get(a)! - weight.get(b)! || place[a]! - place[b]!);
  for (let i = 0; i < level.length; i++) place[level[i]!] = i;
}

/** Crossings between all neighbouring levels, counted with a Fenwick tree. */
function crossings(graph: LeveledGraph, levels: readonly (readonly number[])[], place: Int32Array): number {
  let total = 0;
  for (let at = 1; at < levels.length; at++) {
    const width = levels[at]!.length;
    if (width < 2 || levels[at - 1]!.length < 2) continue;
    const sums = new Int32Array(width + 1);
    let seen = 0;
    for (const upper of levels[at - 1]!) {
      const ends = graph.below[upper]!.map((w) => place[w]!);
      for (const end of ends) {
        let before = 0;
        for (let i = end + 1; i > 0; i -= i & -i) before += sums[i]!;
        total += seen - before;
      }
      for (const end of ends) {
        for (let i = end + 1; i <= width; i += i & -i) sums[i]!++;
        seen++;
      }
    }
  }
  return total;
}
