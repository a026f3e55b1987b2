import { linearAxis, percentAxis } from './axis.ts';
import { formatCount, formatMs, formatPercent, THIN } from '../format/numbers.ts';
import { type StepExtent, type StepWindow, wholeOf } from './step-window.ts';

export interface Tick {
  readonly value: number;
  readonly label: string;
}

const PARTS = 6;
const SECOND_MS = 1000;

export function stepTicks(extent: StepExtent, window: StepWindow = wholeOf(extent)): Tick[] {
  const { scale, end } = extent;
  const { from, to } = window;
  const frame = { parts: PARTS, exact: true };
  if (scale === 'pass') {
    const { ticks, format } = percentAxis(from, to, frame);
    const share = (value: number): number => (value > 1 + 1e-9 ? value - 1 : value);
    return ticks.map((value) => ({ value, label: value === 0 ? '0' : format(share(value)) }));
  }
  const [unit, suffix] = end >= 10 * SECOND_MS ? [SECOND_MS, `${THIN}s`] : [1, `${THIN}ms`];
  const { ticks, format } =
    scale === 'time'
      ? linearAxis(from, to, { ...frame, unit, suffix })
      : linearAxis(from, to, { ...frame, least: 1 });
  return ticks.map((value) => ({ value, label: format(value) }));
}

export function sayPlace({ scale }: StepExtent, place: number): string {
  if (scale === 'time') return formatMs(place);
  if (scale === 'operations') return `operation ${formatCount(place)}`;
  return place < 1 ? `forward ${formatPercent(place)}` : `backward ${formatPercent(place - 1)}`;
}
