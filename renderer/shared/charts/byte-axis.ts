import { type ByteUnit, bytesPer, unitFor } from '../../../engine/bytes.ts';

export interface ByteAxis {
  readonly unit: ByteUnit;
  /** Bytes, from zero; the last one is the top of the axis. */
  readonly ticks: readonly number[];
  readonly top: number;
  readonly format: (bytes: number) => string;
}

const STEPS = [1, 2, 2.5, 5, 10] as const;

/**
 * A byte axis from zero with round numbers in one binary unit.
 *
 * @param intervals how many parts the axis should have at most
 */
export function byteAxis(max: number, intervals = 5): ByteAxis {
  const peak = max > 0 && Number.isFinite(max) ? max : 1024 ** 2;
  const unit = unitFor(peak);
  const size = bytesPer(unit);
  const wanted = peak / size / intervals;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = (STEPS.find((s) => s * power >= wanted) ?? 10) * power;
  const count = Math.max(1, Math.ceil(peak / size / step - 1e-9));
  const ticks = Array.from({ length: count + 1 }, (_, i) => i * step * size);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9) + (step / power === 2.5 ? 1 : 0));
  return {
    unit,
    ticks,
    top: count * step * size,
    format: (bytes) => (bytes / size).toFixed(decimals),
  };
}
