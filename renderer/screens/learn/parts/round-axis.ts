/** An axis from zero whose parts are round. */
export interface RoundAxis {
  readonly top: number;
  readonly ticks: readonly number[];
}

const STEPS = [1, 2, 5, 10];

/**
 * @param intervals how many parts the axis should have at most
 * @param least of a part: 1 for counts
 */
export function roundAxis(most: number, intervals: number, least = 1): RoundAxis {
  const wanted = Math.max(most / intervals, least);
  const power = 10 ** Math.floor(Math.log10(wanted) + 1e-9);
  const step = (STEPS.find((s) => s * power >= wanted * (1 - 1e-9)) ?? 10) * power;
  const count = Math.max(1, Math.ceil(most / step - 1e-9));
  return {
    top: count * step,
    ticks: Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(6))),
  };
}
