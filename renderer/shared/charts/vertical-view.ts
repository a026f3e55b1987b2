import { bytesPer } from '../../../engine/bytes.ts';
import { type ByteAxis, linearAxis } from './axis.ts';
import type { ValueRange } from './plot-area.ts';

/** What of the vertical axis is in view, in shares of its whole length, so that it holds for other curves too. */
export interface VerticalView {
  readonly from: number;
  readonly to: number;
  readonly isLog: boolean;
}

export const WHOLE_HEIGHT: VerticalView = { from: 0, to: 1, isLog: false };

/** A vertical axis as it is drawn. */
export interface ViewedAxis extends ByteAxis {
  readonly range: ValueRange;
}

/** No less than this share of the axis fills the plot. */
const LEAST_SHARE = 1 / 256;
/** A logarithmic axis begins at the least value, but not farther below its top than this. */
const MOST_DECADES = 4;
const MOST_TICKS = 9;

export const isWholeHeight = ({ from, to }: VerticalView): boolean => from === 0 && to === 1;

export const isClosest = ({ from, to }: VerticalView): boolean => to - from <= LEAST_SHARE * (1 + 1e-9);

/** Zooms so that the share `at` of what is in view stays where it is; a factor above 1 zooms in. */
export function zoomHeight(view: VerticalView, at: number, factor: number): VerticalView {
  const { from, to } = view;
  const length = Math.min(Math.max((to - from) / factor, LEAST_SHARE), 1);
  return moved(view, from + at * (to - from) - at * length, length);
}

/** Moves the view by a share of what is in view. */
export function panHeight(view: VerticalView, by: number): VerticalView {
  const length = view.to - view.from;
  return moved(view, view.from + by * length, length);
}

function moved(view: VerticalView, from: number, length: number): VerticalView {
  const start = Math.min(Math.max(from, 0), 1 - length);
  return length >= 1 - 1e-9 ? { ...view, from: 0, to: 1 } : { ...view, from: start, to: start + length };
}

/**
 * The part of an axis of bytes in view, linear or logarithmic.
 *
 * @param least smallest value above zero that is drawn; a logarithm has no zero
 */
export function viewedAxis(whole: ByteAxis, view: VerticalView, least: number): ViewedAxis {
  const { top, unit } = whole;
  if (!view.isLog) {
    if (isWholeHeight(view)) return { ...whole, range: { low: 0, top, isLog: false } };
    const low = view.from * top;
    const high = view.to * top;
    const axis = linearAxis(low, high, { unit: bytesPer(unit), exact: true });
    return { ...axis, unit, range: { low, top: high, isLog: false } };
  }
  const size = bytesPer(unit);
  const bottom = Math.max(Math.min(least > 0 ? least : top, top / 10), top / 10 ** MOST_DECADES);
  const at = (share: number): number => bottom * (top / bottom) ** share;
  const [low, high] = [at(view.from), at(view.to)];
  const ticks = logTicks(low / size, high / size).map((tick) => tick * size);
  return {
    low,
    top: high,
    ticks,
    format: (value) => String(Number((value / size).toPrecision(4))),
    unit,
    range: { low, top: high, isLog: true },
  };
}

/** Powers of ten, with 2 and 5 between them where there is room; of less than two of these, round steps. */
export function logTicks(low: number, high: number): number[] {
  for (const factors of [[1, 2, 5], [1]]) {
    const ticks: number[] = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
      for (const factor of factors) {
        const tick = Number(`${factor}e${power}`);
        if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push(tick);
      }
    }
    if (ticks.length <= MOST_TICKS && ticks.length >= 2) return ticks;
    if (ticks.length < 2) return [...linearAxis(low, high, { exact: true }).ticks];
  }
  return [low, high];
}
