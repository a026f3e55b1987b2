import type { LeveledGraph } from './levels.ts';

/**
 * Horizontal centres of all nodes: long edges straight, others close to it (Brandes and Köpf 2001). Four
 * extreme alignments are made and the middle of the two inner ones is taken. Time O(V + E).
 *
 * @param room least distance between the centres of two neighbours of a level
 */
export function alignNodes(
  graph: LeveledGraph,
  levels: readonly (readonly number[])[],
  room: (left: number, right: number) => number,
): Float64Array {
  const crossed = innerConflicts(graph, levels);
  const candidates: Float64Array[] = [];
  for (const down of [true, false]) {
    for (const left of [true, false]) {
      const sides = left ? levels : levels.map((level) => [...level].reverse());
      const rows = down ? sides : [...sides].reverse();
      const neighbours = down ? graph.above : graph.below;
      const root = blocks(graph.size, rows, neighbours, crossed);
      const x = compact(graph.size, sides, root, left ? room : (a, b) => room(b, a));
      candidates.push(left ? x : x.map((value) => -value));
    }
  }
  return balance(candidates);
}

const pair = (upper: number, lower: number): number => upper * 0x4000000 + lower;

/** Edges that cross a straight part of a long edge: they give way. */
function innerConflicts(graph: LeveledGraph, levels: readonly (readonly number[])[]): Set<number> {
  const conflicts = new Set<number>();
  const place = new Int32Array(graph.size);
  for (const level of levels) for (let i = 0; i < level.length; i++) place[level[i]!] = i;
  for (let at = 1; at < levels.length; at++) {
    const level = levels[at]!;
    let scanned = 0;
    let from = 0;
    for (let i = 0; i < level.length; i++) {
      const v = level[i]!;
      const [up = -1] = graph.above[v]!;
      const inner = v >= graph.realCount && up >= graph.realCount;
      if (!inner && i < level.length - 1) continue;
      const to = inner ? place[up]! : levels[at - 1]!.length - 1;
      for (; scanned <= i; scanned++) {
        const w = level[scanned]!;
        for (const u of graph.above[w]!) {
          const isInner = w >= graph.realCount && u >= graph.realCount;
          if (!isInner && (place[u]! < from || place[u]! > to)) conflicts.add(pair(u, w));
        }
      }
      from = to;
    }
  }
  return conflicts;
}

/** Vertical alignment: the root of the block of each node. `rows` are in the direction of the walk. */
function blocks(
  size: number,
  rows: readonly (readonly number[])[],
  neighbours: readonly (readonly number[])[],
  crossed: ReadonlySet<number>,
): Int32Array {
  const place = new Int32Array(size);
  for (const row of rows) for (let i = 0; i < row.length; i++) place[row[i]!] = i;
  const root = Int32Array.from({ length: size }, (_, v) => v);
  const taken = new Uint8Array(size);
  for (const row of rows) {
    let last = -1;
    for (const v of row) {
      const near = [...neighbours[v]!].sort((a, b) => place[a]! - place[b]!);
      if (near.length === 0) continue;
      const middle = (near.length - 1) / 2;
      for (let i = Math.floor(middle); i <= Math.ceil(middle); i++) {
        const u = near[i]!;
        if (root[v] !== v || taken[u] === 1 || place[u]! <= last) continue;
        if (crossed.has(pair(u, v)) || crossed.has(pair(v, u))) continue;
        taken[u] = 1;
        root[v] = root[u]!;
        last = place[u]!;
      }
    }
  }
  return root;
}

/** Horizontal compaction: blocks as far to the left as they can be, then back to what holds them. */
function compact(
  size: number,
  levels: readonly (readonly number[])[],
  root: Int32Array,
  room: (left: number, right: number) => number,
): Float64Array {
  const right: [number, number][][] = Array.from({ length: size }, () => []);
  const left: [number, number][][] = Array.from({ length: size }, () => []);
  const waits = new Int32Array(size);
  for (const level of levels) {
    for (let i = 1; i < level.length; i++) {
      const a = root[level[i - 1]!]!;
      const b = root[level[i]!]!;
      const gap = room(level[i - 1]!, level[i]!);
      right[a]!.push([b, gap]);
      left[b]!.push([a, gap]);
      waits[b]!++;
    }
  }
  const order: number[] = [];
  for (let v = 0; v < size; v++) if (root[v] === v && waits[v] === 0) order.push(v);
  const x = new Float64Array(size);
  for (let i = 0; i < order.length; i++) {
    const a = order[i]!;
    for (const [b, gap] of right[a]!) {
      x[b] = Math.max(x[b]!, x[a]! + gap);
      if (--waits[b]! === 0) order.push(b);
    }
  }
  for (let i = order.length - 1; i >= 0; i--) {
    const a = order[i]!;
    let most = Number.POSITIVE_INFINITY;
    for (const [b, gap] of right[a]!) most = Math.min(most, x[b]! - gap);
    if (most < Number.POSITIVE_INFINITY && left[a]!.length > 0) x[a] = Math.max(x[a]!, most);
  }
  return x.map((_, v) => x[root[v]!]!);
}

/** All candidates moved onto the narrowest, then the mean of the two in the middle. */
function balance(candidates: readonly Float64Array[]): Float64Array {
  const spans = candidates.map((x) => ({ low: minOf(x), high: -minOf(x.map((value) => -value)) }));
  const narrow = spans.reduce((best, span) => (span.high - span.low < best.high - best.low ? span : best));
  const moved = candidates.map((x, i) => {
    const shift = i % 2 === 0 ? narrow.low - spans[i]!.low : narrow.high - spans[i]!.high;
    return x.map((value) => value + shift);
  });
  const result = new Float64Array(candidates[0]?.length ?? 0);
  for (let v = 0; v < result.length; v++) {
    const values = moved.map((x) => x[v]!).sort((a, b) => a - b);
    result[v] = (values[1]! + values[2]!) / 2;
  }
  return result;
}

function minOf(values: Float64Array): number {
  return values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
}
