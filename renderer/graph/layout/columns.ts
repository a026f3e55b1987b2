import type { Point } from './layered.ts';

/** A point of an edge's route and the level at which it lies. */
export interface LeveledPoint extends Point {
  readonly level: number;
}

/** A drawing from top to bottom, before it is broken into columns. */
export interface Strip {
  readonly width: number;
  readonly height: number;
  readonly tops: readonly number[];
  readonly heights: readonly number[];
  /** Extent of each level. */
  readonly left: readonly number[];
  readonly right: readonly number[];
  /** How many edges go from above each level to it or past it. */
  readonly crossing: readonly number[];
}

export interface Column {
  readonly firstLevel: number;
  /** In the drawing. */
  readonly top: number;
  readonly bottom: number;
  /** What is added to the coordinates of the strip. */
  readonly dx: number;
  readonly dy: number;
  /** Left and right end in the drawing. */
  readonly left: number;
  readonly right: number;
}

const GUTTER = 56;
const LANE = 8;
/** A break that more edges cross would be a tangle. */
const MOST_CROSSING = 4;
const SHORTEST = 560;

/** Where a strip that is much taller than wide is broken, so that it fills a page of the given aspect. */
export function columnsOf(strip: Strip, aspect: number): readonly Column[] {
  const count = Math.min(
    Math.round(Math.sqrt((strip.height * aspect) / (strip.width + GUTTER))),
    Math.floor(strip.height / SHORTEST),
  );
  const starts = [0];
  const possible = strip.crossing
    .map((edges, level) => ({ edges, level }))
    .filter(({ edges, level }) => level > 0 && edges <= MOST_CROSSING && strip.heights[level]! > 0);
  for (let k = 1; k < count; k++) {
    const wanted = (strip.height * k) / count;
    const off = (level: number): number => Math.abs(strip.tops[level]! - wanted);
    const best = possible.reduce((near, { level }) => (off(level) < off(near) ? level : near), 0);
    if (best > starts.at(-1)! && off(best) < strip.height / count / 2) starts.push(best);
  }
  let x = 0;
  return starts.map((firstLevel, k) => {
    const end = starts[k + 1] ?? strip.tops.length;
    const left = Math.min(...strip.left.slice(firstLevel, end));
    const right = Math.max(...strip.right.slice(firstLevel, end));
    const dy = (starts.length > 1 ? headRoom(strip, starts) : 0) - strip.tops[firstLevel]!;
    const bottom = strip.tops[end - 1]! + strip.heights[end - 1]! + dy;
    const top = strip.tops[firstLevel]! + dy;
    const column = { firstLevel, top, bottom, dx: x - left, dy, left: x, right: x + right - left };
    const lanes = strip.crossing[end] ?? 0;
    x = column.right + GUTTER + lanes * LANE;
    return column;
  });
}

const laneOffset = (lane: number): number => 12 + lane * LANE;

/** Room above and below the columns for the edges that go from one to the next. */
export function headRoom(strip: Pick<Strip, 'crossing'>, starts: readonly number[]): number {
  return laneOffset(Math.max(...starts.slice(1).map((level) => strip.crossing[level]!)));
}

export function columnOf(columns: readonly Column[], level: number): number {
  let at = columns.length - 1;
  while (at > 0 && columns[at]!.firstLevel > level) at--;
  return at;
}

/**
 * A route with its points moved to their columns. Where it passes from one column to the next it goes below
 * the one, up between the two, and in from above.
 *
 * @param laneAt a free lane of the gutter after a column, counted from 0
 */
export function routeThrough(
  route: readonly LeveledPoint[],
  columns: readonly Column[],
  laneAt: (column: number) => number,
): Point[] {
  const moved: Point[] = [];
  route.forEach(({ x, y, level }, i) => {
    const at = columnOf(columns, level);
    const column = columns[at]!;
    const before = i === 0 ? at : columnOf(columns, route[i - 1]!.level);
    const point = { x: x + column.dx, y: y + column.dy };
    if (before < at) {
      const former = columns[before]!;
      const lane = laneAt(before);
      const low = former.bottom + laneOffset(lane);
      const high = column.top - laneOffset(lane);
      const gutter =
        (former.right + column.left) / 2 + (lane % 2 === 0 ? -1 : 1) * Math.ceil(lane / 2) * LANE;
      moved.push({ x: moved.at(-1)!.x, y: low }, { x: gutter, y: low }, { x: gutter, y: high });
      moved.push({ x: point.x, y: high });
    }
    moved.push(point);
  });
  return moved;
}
