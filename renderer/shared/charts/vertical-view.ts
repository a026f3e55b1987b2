import { formatCount } from '../format/numbers.ts';
import { type Axis, linearAxis } from './axis.ts';

/** The part of the vertical axis in view, in shares of its whole length, so that it holds for other curves too. */
export interface VerticalView {
  readonly from: number;
  readonly to: number;
  readonly isLog: boolean;
}

export const WHOLE_HEIGHT: VerticalView = { from: 0, to: 1, isLog: false };

/** No less than this share of the axis fills the plot. */
const LEAST_SHARE = 1 / 256;
/** A logarithmic axis begins at the least value, but not farther below its top than this. */
const MAX_DECADES = 4;
const MAX_TICKS = 9;
const DECIMALS = 4;

export const isWholeHeight = ({ from, to }: VerticalView): boolean => from === 0 && to === 1;

export const isClosest = ({ from, to }: VerticalView): boolean => to - from <= LEAST_SHARE * (1 + 1e-9);

/** Zooms so that the share `at` of what is in view stays where it is; a factor above 1 zooms in. */
export function zoomHeight(view: VerticalView, at: number, factor: number): VerticalView {
  const { from, to } = view;
  const length = Math.min(Math.max((to - from) / factor, LEAST_SHARE), 1);
  return moved(view, from + at * (to - from) - at * length, length);
}

export function panHeight(view: VerticalView, by: number): VerticalView {
  const length = view.to - view.from;
  return moved(view, view.from + by * length, length);
}

function moved(view: VerticalView, from: number, length: number): VerticalView {
  const start = Math.min(Math.max(from, 0), 1 - length);
  return length >= 1 - 1e-9 ? { ...view, from: 0, to: 1 } : { ...view, from: start, to: start + length };
}

export function heightBetween(view: VerticalView, a: number, b: number): VerticalView {
  const length = view.to - view.from;
  const wanted = Math.max(Math.abs(a - b) * length, LEAST_SHARE);
  return moved(view, view.from + ((a + b) / 2) * length - wanted / 2, wanted);
}

/**
 * The part of an axis in view, linear or logarithmic; the axis itself where all of it is in view.
 *
 * @param least smallest value above zero that is drawn; a logarithm has no zero
 */
export function viewedAxis<A extends Axis>(whole: A, view: VerticalView, least: number): A {
  const { low: start, top, written = { unit: 1, suffix: '' } } = whole;
  if (!view.isLog) {
    if (isWholeHeight(view)) return whole;
    const [low, high] = [view.from, view.to].map((share) => start + share * (top - start)) as [
      number,
      number,
    ];
    return {
      ...whole,
      ...linearAxis(low, high, { ...written, exact: true }),
      range: { low, top: high, isLog: false },
    };
  }
  const usual = Math.max(Math.min(least > 0 ? least : top, top / 10), top / 10 ** MAX_DECADES);
  const bottom = start > 0 ? start : usual;
  const at = (share: number): number => bottom * (top / bottom) ** share;
  const [low, high] = [at(view.from), at(view.to)];
  const { unit, suffix } = written;
  const format = (value: number): string => {
    const size = Number((value / unit).toPrecision(4));
    return `${size >= 1000 ? formatCount(size) : size}${suffix}`;
  };
  const ticks = logTicks(low / unit, high / unit).map((tick) => tick * unit);
  return { ...whole, low, top: high, ticks, format, range: { low, top: high, isLog: true } };
}

export function sayHeight({ low, top, written, range, format }: Axis, unit = ''): string {
  const size = written?.unit ?? 1;
  const say = (value: number): string =>
    written === undefined ? format(value) : `${Number((value / size).toPrecision(3))}${written.suffix}`;
  return `${say(low)} to ${say(top)}${unit}${range?.isLog === true ? ', logarithmic' : ''}`;
}

/** An axis' title, which says a logarithm: in the brackets of its unit where it has one. */
export function titleInView(title: string | undefined, { isLog }: VerticalView): string | undefined {
  if (title === undefined || !isLog) return title;
  return title.endsWith(')') ? `${title.slice(0, -1)}, logarithmic)` : `${title} (logarithmic)`;
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
    if (ticks.length <= MAX_TICKS && ticks.length >= 2) return ticks;
    if (ticks.length < 2) return [...linearAxis(low, high, { exact: true }).ticks];
  }
  return [low, high];
}

/** `0.25-0.5`, `log`, `log-0.25-0.5`: a view as an address has it; null of the whole. */
export function writeHeight(view: VerticalView): string | null {
  const { from, to, isLog } = view;
  const part = isWholeHeight(view) ? [] : [from, to].map((share) => Number(share.toFixed(DECIMALS)));
  return isLog || part.length > 0 ? [...(isLog ? ['log'] : []), ...part].join('-') : null;
}

/** The view that an address says; the whole where it says none that can be read. */
export function readHeight(text: string | undefined): VerticalView {
  const words = (text ?? '').split('-');
  const isLog = words[0] === 'log';
  const shares = (isLog ? words.slice(1) : words).map(Number);
  const [from = Number.NaN, to = Number.NaN] = shares;
  const view = { ...WHOLE_HEIGHT, isLog };
  return shares.length === 2 && from >= 0 && to > from && to <= 1 ? heightBetween(view, from, to) : view;
}
