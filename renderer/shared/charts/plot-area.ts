/** The charts fix their margins, so that everything laid over a plot knows where it is without asking. */
export interface PlotArea {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export type Margin = Readonly<Record<'left' | 'right' | 'top' | 'bottom', number>>;

export const MARGIN: Margin = { left: 56, right: 24, top: 24, bottom: 32 };

export function plotArea(width: number, height: number, margin: Partial<Margin> = {}): PlotArea {
  const { left, right, top, bottom } = { ...MARGIN, ...margin };
  return {
    width,
    height,
    left,
    right: Math.max(left + 1, width - right),
    top,
    bottom: Math.max(top + 1, height - bottom),
  };
}

/** Pixel of a value on a linear axis, from zero where nothing else is said. */
export function pixelX(area: PlotArea, x: number, end: number, from = 0): number {
  return area.left + (end === from ? 0 : (x - from) / (end - from)) * (area.right - area.left);
}

/** The part of a value axis that is drawn; of a logarithmic one `low` is above zero. */
export interface ValueRange {
  readonly low: number;
  readonly top: number;
  readonly isLog: boolean;
}

export type Values = number | ValueRange;

export function pixelY(area: PlotArea, y: number, values: Values): number {
  return area.bottom - shareOf(y, values) * (area.bottom - area.top);
}

/** A value at or below the lower end of a logarithmic axis is at its end. */
function shareOf(y: number, values: Values): number {
  if (typeof values === 'number') return values === 0 ? 0 : y / values;
  const { low, top, isLog } = values;
  if (top <= low) return 0;
  if (!isLog) return (y - low) / (top - low);
  return y <= low ? 0 : Math.log(y / low) / Math.log(top / low);
}

export function isShown(y: number, values: Values): boolean {
  return typeof values === 'number' ? y <= values : y <= values.top && (y >= values.low || values.isLog);
}

export const topOf = (values: Values): number => (typeof values === 'number' ? values : values.top);

/** Value under a pixel, kept inside the axis. */
export function valueX(area: PlotArea, pixel: number, end: number, from = 0): number {
  const share = (pixel - area.left) / (area.right - area.left);
  return from + Math.min(Math.max(share, 0), 1) * (end - from);
}

/** The same of a vertical axis. */
export function valueY(area: PlotArea, pixel: number, values: Values): number {
  const { low, top, isLog } = typeof values === 'number' ? { low: 0, top: values, isLog: false } : values;
  const share = Math.min(Math.max((area.bottom - pixel) / (area.bottom - area.top), 0), 1);
  return isLog ? low * (top / low) ** share : low + share * (top - low);
}
