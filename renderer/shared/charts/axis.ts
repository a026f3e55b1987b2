import { type ByteUnit, bytesPer, unitFor } from '../../../engine/bytes.ts';
import { formatCount, MINUS, THIN } from '../format/numbers.ts';
import type { ValueRange } from './plot-area.ts';

export interface Axis {
  readonly low: number;
  readonly top: number;
  readonly ticks: readonly number[];
  readonly format: (value: number) => string;
  /** How its own `format` writes a value; an axis of other words has none. */
  readonly written?: { readonly unit: number; readonly suffix: string };
  /** The part in view, or a logarithmic axis. */
  readonly range?: ValueRange;
}

export const rangeOf = ({ low, top, range }: Axis): ValueRange => range ?? { low, top, isLog: false };

export interface AxisOptions {
  readonly parts?: number;
  /** Every part is a multiple of this: 1 for counts. */
  readonly least?: number;
  readonly unit?: number;
  readonly suffix?: string;
  /** Ends where it is told to, not at the ticks around that. */
  readonly exact?: boolean;
}

const STEPS = [1, 2, 2.5, 5] as const;
const ROUNDING = 1e-9;

const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) < ROUNDING;

/** The smallest of 1, 2, 2.5, 5, 10, 20, … that cuts a length into few enough parts. */
function tickStep(length: number, parts: number, least: number): number {
  const wanted = Math.max(length / parts, least) * (1 - ROUNDING);
  for (let power = 10 ** Math.floor(Math.log10(wanted)); ; power *= 10) {
    const factor = STEPS.find((s) => s * power >= wanted && (least === 0 || isWhole((s * power) / least)));
    if (factor !== undefined) return factor * power;
  }
}

/** Every axis of the lab: round ticks of one step, at least one part. Ends that are no finite numbers count as zero. */
export function linearAxis(least: number, most: number, options: AxisOptions = {}): Axis {
  const { parts = 5, least: part = 0, unit = 1, suffix = '', exact = false } = options;
  const [low, top] = [least, most].map((end) => (Number.isFinite(end) ? end : 0)) as [number, number];
  const length = top > low ? (top - low) / unit : parts;
  const step = tickStep(length, parts, part / unit);
  const [from, to] = [low / unit / step, top / unit / step];
  const first = exact ? Math.ceil(from - ROUNDING) : Math.floor(from + ROUNDING);
  const last = exact ? Math.floor(to + ROUNDING) : Math.max(first + 1, Math.ceil(to - ROUNDING));
  const decimals = [0, 1, 2, 3, 4, 5, 6].find((d) => isWhole(step * 10 ** d)) ?? 6;
  return {
    low: exact ? low : first * step * unit,
    top: exact ? top : last * step * unit,
    ticks: Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step * unit),
    format: (value) => {
      const size = Math.abs(value / unit);
      const text = decimals === 0 ? formatCount(size) : size.toFixed(decimals);
      return `${value < 0 && Number(text) !== 0 ? MINUS : ''}${text}${suffix}`;
    },
    written: { unit, suffix },
  };
}

export const percentAxis = (low: number, top: number, options: AxisOptions = {}): Axis =>
  linearAxis(low, top, { ...options, unit: 0.01, suffix: `${THIN}%` });

export interface ByteAxis extends Axis {
  readonly unit: ByteUnit;
}

export function byteAxis(max: number, parts = 5): ByteAxis {
  const peak = max > 0 && Number.isFinite(max) ? max : 1024 ** 2;
  const unit = unitFor(peak);
  return { ...linearAxis(0, peak, { parts, unit: bytesPer(unit) }), unit };
}
