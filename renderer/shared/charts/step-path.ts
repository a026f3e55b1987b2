import { type PlotArea, pixelX, pixelY, type Values } from './plot-area.ts';
import type { Point } from './step-curves.ts';

export interface PlotScale {
  readonly area: PlotArea;
  readonly from?: number;
  readonly end: number;
  readonly top: Values;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** SVG path of a step-after line: each value holds until the next point. */
export function stepLine(points: readonly Point[], { area, from, end, top }: PlotScale): string {
  let path = '';
  let lastY = Number.NaN;
  for (const { x, y } of points) {
    const px = round(pixelX(area, x, end, from));
    const py = round(pixelY(area, y, top));
    if (path === '') path = `M${px} ${py}`;
    else if (py === lastY) continue;
    else path += `H${px}V${py}`;
    lastY = py;
  }
  const last = points.at(-1);
  return last === undefined ? '' : `${path}H${round(pixelX(area, last.x, end, from))}`;
}

export interface Span {
  readonly x: number;
  readonly low: number;
  readonly high: number;
}

/** SVG path of the area between two step-after lines: along the upper one, and back along the lower one. */
export function stepBand(spans: readonly Span[], { area, from, end, top }: PlotScale): string {
  const last = spans.at(-1);
  if (last === undefined) return '';
  let upper = '';
  let lower = '';
  let highY = Number.NaN;
  let lowY = Number.NaN;
  spans.forEach(({ x, low, high }) => {
    const left = round(pixelX(area, x, end, from));
    const nextHigh = round(pixelY(area, high, top));
    const nextLow = round(pixelY(area, low, top));
    if (upper === '') upper = `M${left} ${nextHigh}`;
    else if (nextHigh !== highY) upper += `H${left}V${nextHigh}`;
    // The way back is written from its end.
    if (lower === '') lower = `H${left}Z`;
    else if (nextLow !== lowY) lower = `H${left}V${lowY}${lower}`;
    highY = nextHigh;
    lowY = nextLow;
  });
  return `${upper}H${round(pixelX(area, last.x, end, from))}V${lowY}${lower}`;
}
