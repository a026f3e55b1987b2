import { leastFraction, type RecomputeBound } from '../../../../engine/bounds/recompute-bound.ts';
import { type Axis, rangeOf } from '../../../shared/charts/axis.ts';
import { type PlotArea, pixelX, pixelY } from '../../../shared/charts/plot-area.ts';

interface At {
  readonly x: number;
  readonly y: number;
}

const PARTS = 120;

/** The proved least recompute from the least peak that is proved to `end`, with the memory of every step of the front. */
export function provedCurve(bound: RecomputeBound, steps: readonly At[], end: number): At[] {
  const from = bound.floorBytes;
  if (from >= end) return [];
  const even = Array.from({ length: PARTS + 1 }, (_, i) => from + ((end - from) * i) / PARTS);
  const all = [...even, ...steps.map(({ x }) => x)].filter((x) => x >= from && x <= end);
  return [...new Set(all)].sort((a, b) => a - b).map((x) => ({ x, y: leastFraction(bound, x) }));
}

/**
 * Outline of what lies between proof and plan, as an SVG path: below it no schedule is, above it one is known. Left of the
 * front no plan is known, so it reaches the upper edge there.
 */
export function regionPath(
  curve: readonly At[],
  steps: readonly At[],
  { area, end, axis }: { readonly area: PlotArea; readonly end: number; readonly axis: Axis },
): string {
  const [first] = curve;
  const [lowest] = steps;
  if (first === undefined || lowest === undefined) return '';
  const at = (x: number, y: number): string =>
    `${pixelX(area, Math.max(x, first.x), end).toFixed(1)} ${pixelY(area, Math.min(y, axis.top), rangeOf(axis)).toFixed(1)}`;
  const above = [at(first.x, axis.top), at(lowest.x, axis.top)];
  steps.forEach(({ x, y }, i) => {
    if (i > 0) above.push(at(x, steps[i - 1]!.y));
    above.push(at(x, y));
  });
  const below = [...curve].reverse().map(({ x, y }) => at(x, y));
  return `M${[...above, ...below].join('L')}Z`;
}

export function curvePath(
  curve: readonly At[],
  { area, end, axis }: { readonly area: PlotArea; readonly end: number; readonly axis: Axis },
): string {
  const inside = curve.filter(({ y }) => y <= axis.top);
  if (inside.length === 0) return '';
  return `M${inside.map(({ x, y }) => `${pixelX(area, x, end).toFixed(1)} ${pixelY(area, y, rangeOf(axis)).toFixed(1)}`).join('L')}`;
}
