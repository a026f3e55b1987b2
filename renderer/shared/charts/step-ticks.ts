import { formatCount, formatMs, formatPercent, THIN } from '../format/numbers.ts';
import { type StepExtent, type StepWindow, wholeOf } from './step-window.ts';

export interface Tick {
  readonly value: number;
  readonly label: string;
}

const MOST_INTERVALS = 6;
const NICE = [1, 2, 5, 10] as const;
/** Halves of a pass, then tenths and so on. */
const MOST_OF_PASS = 0.5;
const SECOND_MS = 1000;

/** The smallest of 1, 2, 5, 10, 20, … that cuts a length into few enough parts. */
function niceStep(length: number): number {
  const wanted = length / MOST_INTERVALS;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return (NICE.find((step) => step * power >= wanted * (1 - 1e-9)) ?? 10) * power;
}

const decimalsOf = (step: number): number => Math.max(0, -Math.floor(Math.log10(step) + 1e-9));

/** Round ticks of the part of the x axis in view: shares of both passes, operations, or times. */
export function stepTicks(extent: StepExtent, window: StepWindow = wholeOf(extent)): Tick[] {
  const { scale, end } = extent;
  const { from, to } = window;
  const length = to - from;
  if (scale === 'pass') {
    const step = Math.min(niceStep(length), MOST_OF_PASS);
    const decimals = decimalsOf(step * 100);
    return ticksOf(from, to, step, (value) => {
      const share = (value > 1 + step / 2 ? value - 1 : value) * 100;
      return value === 0 ? '0' : `${share.toFixed(decimals)}${THIN}%`;
    });
  }
  if (scale === 'operations') return ticksOf(from, to, Math.max(1, niceStep(length)), formatCount);
  const unit = end >= 10 * SECOND_MS ? SECOND_MS : 1;
  const step = niceStep(length / unit);
  const name = unit === SECOND_MS ? 's' : 'ms';
  return ticksOf(from, to, step * unit, (ms) => `${(ms / unit).toFixed(decimalsOf(step))}${THIN}${name}`);
}

/** A place of the x axis in words. */
export function sayPlace({ scale }: StepExtent, place: number): string {
  if (scale === 'time') return formatMs(place);
  if (scale === 'operations') return `operation ${formatCount(place)}`;
  return place < 1 ? `forward ${formatPercent(place)}` : `backward ${formatPercent(place - 1)}`;
}

function ticksOf(from: number, to: number, step: number, label: (value: number) => string): Tick[] {
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => {
    const value = (first + i) * step;
    return { value, label: label(value) };
  });
}
