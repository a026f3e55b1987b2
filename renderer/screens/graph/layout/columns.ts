import type { Point } from './geometry.ts';

export interface LeveledPoint extends Point {
  readonly level: number;
}

/** A drawing from top to bottom, before it is broken into columns. */
export interface Strip {
  readonly width: number;
  readonly height: number;
  readonly tops: readonly number[];
  readonly heights: readonly number[];
  readonly left: readonly number[];
  readonly right: readonly number[];
  /** How many edges go from above each level to it or past it. */
  readonly crossing: readonly number[];
}

export interface Column {
  readonly firstLevel: number;
  readonly top: number;
  readonly bottom: number;
  /** Added to the coordinates of the strip. */
  readonly dx: number;
  readonly dy: number;
  readonly left: number;
  readonly right: number;
}

const GUTTER = 56;
const LANE = 8;
/** A break that more edges cross would be a tangle; a very tall strip is worse. */
const MAX_CROSSING = { tall: 4, other: 1 } as const;
const TALL = 2400;
const SHORTEST = 360;
/** A break has to enlarge the drawing by this factor. */
const WORTH_A_BREAK = 1.08;

/**
 * Breaks a strip that is much taller than wide into columns side by side: of all numbers of columns the one
 * under which the drawing is largest on a page of the given aspect. Time O(columns x levels).
 */
export function columnsOf(strip: Strip, aspect: number): readonly Column[] {
  let best = placed(strip, [0]);
  const most = aspect > 0 ? Math.floor(strip.height / SHORTEST) : 1;
  const likely = Math.sqrt((strip.height * aspect) / (strip.width + GUTTER));
  for (let count = 2; count <= Math.min(most, Math.ceil(2 * likely)); count++) {
    const found = placed(strip, breaks(strip, count));
    if (zoomOf(found, aspect) > zoomOf(best, aspect) * WORTH_A_BREAK) best = found;
  }
  return best;
}

function zoomOf(columns: readonly Column[], aspect: number): number {
  const height = Math.max(...columns.map(({ bottom }) => bottom));
  return Math.min(aspect / columns.at(-1)!.right, 1 / height);
}

/** First levels of the columns, near equal heights, where few edges have to be led over. */
function breaks(strip: Strip, count: number): number[] {
  const most = strip.height > TALL ? MAX_CROSSING.tall : MAX_CROSSING.other;
  const starts = [0];
  for (let k = 1; k < count; k++) {
    const wanted = (strip.height * k) / count;
    let best = 0;
    strip.crossing.forEach((edges, level) => {
      if (level === 0 || edges > most || strip.heights[level] === 0) return;
      if (best === 0 || Math.abs(strip.tops[level]! - wanted) < Math.abs(strip.tops[best]! - wanted))
        best = level;
    });
    if (best > starts.at(-1)!) starts.push(best);
  }
  return starts;
}

function placed(strip: Strip, starts: readonly number[]): Column[] {
  const head = starts.length > 1 ? headRoom(strip, starts) : 0;
  let x = 0;
  return starts.map((firstLevel, k) => {
    const end = starts[k + 1] ?? strip.tops.length;
    const left = Math.min(...strip.left.slice(firstLevel, end));
    const right = x + Math.max(...strip.right.slice(firstLevel, end)) - left;
    const dy = head - strip.tops[firstLevel]!;
    const bottom = strip.tops[end - 1]! + strip.heights[end - 1]! + dy;
    const column = { firstLevel, top: head, bottom, dx: x - left, dy, left: x, right };
    x = right + GUTTER + (strip.crossing[end] ?? 0) * LANE;
    return column;
  });
}

const laneOffset = (lane: number): number => 12 + lane * LANE;

function headRoom(strip: Pick<Strip, 'crossing'>, starts: readonly number[]): number {
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
      const previous = columns[before]!;
      const lane = laneAt(before);
      const low = previous.bottom + laneOffset(lane);
      const high = column.top - laneOffset(lane);
      const gutter =
        (previous.right + column.left) / 2 + (lane % 2 === 0 ? -1 : 1) * Math.ceil(lane / 2) * LANE;
      moved.push({ x: moved.at(-1)!.x, y: low }, { x: gutter, y: low }, { x: gutter, y: high });
      moved.push({ x: point.x, y: high });
    }
    moved.push(point);
  });
  return moved;
}
