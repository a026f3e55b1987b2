import { type PlotArea, pixelX, pixelY } from './plot-area.ts';
import type { Point } from './step-curves.ts';

/** How values become pixels in one chart. */
export interface PlotScale {
  readonly area: PlotArea;
  /** First value of the x axis; zero where nothing is said. */
  readonly from?: number;
  readonly end: number;
  readonly top: number;
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

/** SVG path of the area between two step-after lines. */
export function stepBand(spans: readonly Span[], { area, from, end, top }: PlotScale): string {
  const upper: string[] = [];
  const lower: string[] = [];
  spans.forEach(({ x, low, high }, i) => {
    const left = round(pixelX(area, x, end, from));
    const right = round(pixelX(area, spans[i + 1]?.x ?? x, end, from));
    upper.push(`${left} ${round(pixelY(area, high, top))} ${right} ${round(pixelY(area, high, top))}`);
    lower.push(`${right} ${round(pixelY(area, low, top))} ${left} ${round(pixelY(area, low, top))}`);
  });
  return spans.length === 0 ? '' : `M${upper.join('L')}L${lower.reverse().join('L')}Z`;
}
