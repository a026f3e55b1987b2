import type { Point } from './step-curves.ts';
import type { PlotScale } from './step-path.ts';
import { pixelX, pixelY } from './plot-area.ts';

/** The highest pixel that any curve touches between two pixels of the x axis. */
export type Skyline = (left: number, right: number) => number;

/** Where there is room over all curves. Time O(points + width); a query O(its width). */
export function skylineOf(curves: readonly (readonly Point[])[], scale: PlotScale): Skyline {
  const { area, end, top } = scale;
  const columns = new Float64Array(Math.ceil(area.width) + 1).fill(area.bottom);
  const raise = (from: number, to: number, y: number): void => {
    for (let x = Math.floor(from); x <= Math.ceil(to); x++) {
      if (y < (columns[x] ?? 0)) columns[x] = y;
    }
  };
  for (const points of curves) {
    points.forEach(({ x, y }, i) => {
      const next = points[i + 1]?.x ?? x;
      raise(pixelX(area, x, end), pixelX(area, next, end), pixelY(area, y, top));
    });
  }
  return (left, right) => {
    let highest = area.bottom;
    const last = Math.min(columns.length - 1, Math.ceil(right));
    for (let x = Math.max(0, Math.floor(left)); x <= last; x++)
      highest = Math.min(highest, columns[x] ?? highest);
    return highest;
  };
}
