const STEPS = [1, 2, 5, 10] as const;

export interface BatchAxis {
  readonly end: number;
  readonly ticks: readonly number[];
}

/**
 * An axis of batch sizes from zero that ends a little past the largest.
 *
 * @param intervals how many parts at most
 */
export function batchAxis(largest: number, intervals = 8): BatchAxis {
  const end = Math.max(1, Math.ceil(largest * 1.06));
  const power = 10 ** Math.floor(Math.log10(Math.max(1, end / intervals)));
  const step = (STEPS.find((s) => s * power >= end / intervals) ?? 10) * power;
  return { end, ticks: Array.from({ length: Math.floor(end / step) + 1 }, (_, i) => i * step) };
}
