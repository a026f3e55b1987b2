import { pixelX, pixelY } from './plot-area.ts';
import { type LabelWish, type PlacedLabel, placeLabels, type Room } from './place-labels.ts';
import type { Point } from './step-curves.ts';
import type { PlotScale } from './step-path.ts';

export interface DrawnLine {
  readonly points: readonly Point[];
  /** A straight line from point to point, where a stair holds each value until the next one. */
  readonly isSloped?: boolean;
}

export const upright = (x: number, top: number): DrawnLine => ({
  points: [
    { x, y: 0 },
    { x, y: top },
  ],
});

export const level = (y: number, end: number, from = 0): DrawnLine => ({
  points: [
    { x: from, y },
    { x: end, y },
  ],
});

/** Labels between the curves of a plot, which may also use the room above it and to its right. */
export function placeBetween(
  wishes: readonly LabelWish[],
  curves: readonly DrawnLine[],
  scale: PlotScale,
): PlacedLabel[] {
  const { area } = scale;
  return placeLabels(wishes, { ...area, right: area.width, top: 0 }, roomBetween(curves, scale));
}

/** Pixels between a box and any curve. */
const CLEARANCE = 2;

/**
 * Free room for text between the curves. Every curve is remembered by the pixels that it covers in
 * each column of pixels. Time O(points + columns) a curve; a question O(curves · width of the box).
 */
export function roomBetween(curves: readonly DrawnLine[], scale: PlotScale): Room {
  const { area, end, top, from = 0 } = scale;
  const columns = Math.ceil(area.width) + 1;
  const covers = curves.map(({ points, isSloped = false }) => {
    const highest = new Float64Array(columns).fill(Number.POSITIVE_INFINITY);
    const lowest = new Float64Array(columns).fill(Number.NEGATIVE_INFINITY);
    const cover = (left: number, right: number, from: number, to = from): void => {
      const last = Math.min(columns - 1, Math.ceil(right));
      const slope = right > left ? (to - from) / (right - left) : 0;
      for (let x = Math.max(0, Math.floor(left)); x <= last; x++) {
        const y = slope === 0 ? from : from + slope * (Math.min(Math.max(x, left), right) - left);
        if (y < (highest[x] ?? 0)) highest[x] = y;
        if (y > (lowest[x] ?? 0)) lowest[x] = y;
      }
    };
    points.forEach(({ x, y }, i) => {
      const before = points[i - 1];
      const left = pixelX(area, x, end, from);
      const height = pixelY(area, y, top);
      const next = points[i + 1] ?? { x, y };
      const right = pixelX(area, next.x, end, from);
      if (isSloped) {
        const after = pixelY(area, next.y, top);
        if (right < left) cover(right, left, after, height);
        else cover(left, right, height, after);
        return;
      }
      // The upright between two levels belongs to the column where it stands.
      if (before !== undefined) cover(left, left, pixelY(area, before.y, top));
      cover(left, right, height);
    });
    return { highest, lowest };
  });
  return ({ left, right, top: upper, bottom }) => {
    const last = Math.min(columns - 1, Math.ceil(right + CLEARANCE));
    for (let x = Math.max(0, Math.floor(left - CLEARANCE)); x <= last; x++) {
      for (const { highest, lowest } of covers) {
        const isClear = (highest[x] ?? 0) > bottom + CLEARANCE || (lowest[x] ?? 0) < upper - CLEARANCE;
        if (!isClear) return false;
      }
    }
    return true;
  };
}
