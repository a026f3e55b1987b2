import { alignNodes } from './align.ts';
import { columnOf, columnsOf, type LeveledPoint, routeThrough, type Strip } from './columns.ts';
import type { Point, Size } from './geometry.ts';
import { assignLevels, type Edge, type LeveledGraph } from './levels.ts';
import { orderLevels } from './order.ts';

export interface LayeredDrawing extends Size {
  /** Left upper corners. */
  readonly corners: readonly Point[];
  /** Of each edge: from the lower side of its start, through the gaps between other nodes, to its end. */
  readonly routes: readonly (readonly Point[])[];
}

const NODE_GAP = 28;
const BEND_GAP = 16;
const LEVEL_GAP = 28;

export interface LayeredOptions {
  /** Nodes that stand on the last level. */
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
    // What stands last is at the foot of the whole, also where other columns are longer.
    if (last.has(to)) moved.push({ x: moved.at(-1)!.x, y: height });
    return moved;
  });
  const corners = nodes.map((_, v) => {
    const { dx, dy } = columns[columnOf(columns, graph.level[v]!)]!;
    return { x: centers[v]! - half(v) + dx, y: topOf(v) + dy };
  });
  return {
    width: columns.at(-1)!.right,
    height,
    corners,
    routes,
  };
}

/** Heights and extents of the levels. */
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
