import type { Point } from '../layout/geometry.ts';

const CORNER = 10;

const round = (value: number): number => Math.round(value * 10) / 10;

/**
 * SVG path of a route: between points beside one another a curve that leaves and arrives vertically, along
 * an axis a straight line, with round corners where two straight lines meet.
 */
export function edgePath(route: readonly Point[]): string {
  const [start] = route;
  if (start === undefined) return '';
  let path = `M${round(start.x)} ${round(start.y)}`;
  for (let i = 1; i < route.length; i++) {
    const a = route[i - 1]!;
    const b = route[i]!;
    const next = route[i + 1];
    if (Math.abs(a.x - b.x) > 0.5 && Math.abs(a.y - b.y) > 0.5) {
      const middle = round((a.y + b.y) / 2);
      path += `C${round(a.x)} ${middle} ${round(b.x)} ${middle} ${round(b.x)} ${round(b.y)}`;
    } else if (next !== undefined && isCorner(a, b, next)) {
      const before = toward(b, a);
      const after = toward(b, next);
      path += `L${round(before.x)} ${round(before.y)}Q${round(b.x)} ${round(b.y)} ${round(after.x)} ${round(after.y)}`;
    } else path += `L${round(b.x)} ${round(b.y)}`;
  }
  return path;
}

function isCorner(a: Point, b: Point, c: Point): boolean {
  const along = (p: Point, q: Point): boolean => Math.abs(p.x - q.x) <= 0.5;
  const across = (p: Point, q: Point): boolean => Math.abs(p.y - q.y) <= 0.5;
  return (along(a, b) && across(b, c)) || (across(a, b) && along(b, c));
}

/** The point a corner's radius away from `from`, or half-way where the line is shorter. */
function toward(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const share = length === 0 ? 0 : Math.min(CORNER, length / 2) / length;
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

export function arrowPath(route: readonly Point[]): string {
  const end = route.at(-1);
  if (end === undefined) return '';
  const x = round(end.x);
  const y = round(end.y);
  return `M${x} ${y}l-3.5 -6h7z`;
}
