import { alignNodes } from './align.ts';
import { columnOf, columnsOf, type LeveledPoint, routeThrough, type Strip } from './columns.ts';
import type { Point, Size } from './geometry.ts';
import { assignLevels, type Edge, type LeveledGraph } from './levels.ts';

export interface LayeredDrawing extends Size {
  readonly corners: readonly Point[];
  /** From the lower side of an edge's start, through the gaps between other nodes, to its end. */
  readonly routes: readonly (readonly Point[])[];
}

const NODE_GAP = 28;
const BEND_GAP = 16;
const LEVEL_GAP = 28;

export interface LayeredOptions {
  readonly last?: ReadonlySet<number>;
  /** Width by height that a tall drawing is broken into columns for; none when absent. */
  readonly aspect?: number;
}

/**
 * A layered drawing from top to bottom. Dagre takes 1.3 to 10 s for the graphs of 1,000 to 1,500 vertices
 * that the lab draws; this takes some 100 ms.
 *
 * @param edges each from a smaller to a larger node
 */
export function layered(
  nodes: readonly Size[],
  edges: readonly Edge[],
  { last = new Set(), aspect }: LayeredOptions = {},
): LayeredDrawing {
  if (nodes.length === 0) return { width: 0, height: 0, corners: [], routes: [] };
  const graph = assignLevels(nodes.length, edges, last);
  const levels = orderLevels(graph);
  const half = (v: number): number => (nodes[v]?.width ?? 0) / 2;
  const room = (a: number, b: number): number =>
    half(a) + half(b) + (a < nodes.length && b < nodes.length ? NODE_GAP : BEND_GAP);
  const centers = alignNodes(graph, levels, room);
  const strip = stripOf(graph, levels, nodes, centers, edges);
  const columns = columnsOf(strip, aspect ?? 0);
  const { tops, heights } = strip;

  const topOf = (v: number): number => {
    const level = graph.level[v]!;
    return tops[level]! + (heights[level]! - (nodes[v]?.height ?? heights[level]!)) / 2;
  };
  const foot = columns.length > 1 ? columns[0]!.top : 0;
  const height = Math.max(...columns.map(({ bottom }) => bottom)) + foot;
  const lanes = columns.map(() => 0);
  const routes = edges.map(([from, to], e) => {
    const level = graph.level[from]!;
    const route: LeveledPoint[] = [{ x: centers[from]!, y: topOf(from) + nodes[from]!.height, level }];
    for (const bend of graph.bends[e]!) {
      const at = graph.level[bend]!;
      const x = centers[bend]!;
      route.push({ x, y: tops[at]!, level: at });
      if (heights[at]! > 0) route.push({ x, y: tops[at]! + heights[at]!, level: at });
    }
    route.push({ x: centers[to]!, y: topOf(to), level: graph.level[to]! });
    const moved = routeThrough(route, columns, (column) => lanes[column]!++);
    // Nodes of the last level stand at the foot, also where other columns are longer.
    if (last.has(to)) moved.push({ x: moved.at(-1)!.x, y: height });
    return moved;
  });
  const corners = nodes.map((_, v) => {
    const { dx, dy } = columns[columnOf(columns, graph.level[v]!)]!;
    return { x: centers[v]! - half(v) + dx, y: topOf(v) + dy };
  });
  return { width: columns.at(-1)!.right, height, corners, routes };
}

function stripOf(
  graph: LeveledGraph,
  levels: readonly (readonly number[])[],
  nodes: readonly Size[],
  centers: Float64Array,
  edges: readonly Edge[],
): Strip {
  const heights = levels.map((level) => Math.max(0, ...level.map((v) => nodes[v]?.height ?? 0)));
  const half = (v: number): number => (nodes[v]?.width ?? 0) / 2;
  const left = levels.map((level) => Math.min(...level.map((v) => centers[v]! - half(v))));
  const right = levels.map((level) => Math.max(...level.map((v) => centers[v]! + half(v))));
  const tops: number[] = [];
  let y = 0;
  for (const height of heights) {
    tops.push(y);
    // A level of ports has no height and needs no air.
    y += height + (height === 0 ? LEVEL_GAP / 4 : LEVEL_GAP);
  }
  const crossing = new Array<number>(levels.length).fill(0);
  for (const [from, to] of edges) {
    for (let level = graph.level[from]! + 1; level <= graph.level[to]!; level++) crossing[level]!++;
  }
  return {
    width: Math.max(...right) - Math.min(...left),
    height: tops.at(-1)! + heights.at(-1)!,
    tops,
    heights,
    left,
    right,
    crossing,
  };
}

const SWEEPS = 8;

/**
 * The nodes of every level from left to right with few crossings: barycentre sweeps down and up, the best
 * order seen is kept (Sugiyama et al. 1981). Time O(sweeps x E log V).
 */
function orderLevels(graph: LeveledGraph): number[][] {
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
