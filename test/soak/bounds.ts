/** Measurement at one moment: a number for each quantity that exists then. */
export interface Sample {
  /** Milliseconds since the first. */
  readonly ms: number;
  readonly values: Readonly<Record<string, number>>;
}

/**
 * Bound of a quantity.
 *
 * `level`: after the warm-up, the median of the last quarter is at most that of the first, times 1 + `share`, plus
 * `slack`. Medians, because memory is a saw: it grows until garbage is collected, and a leak lifts its middle.
 * `most`: no sample, of the warm-up neither, is above it.
 */
export type Bound =
  | { readonly name: string; readonly unit: Unit; readonly level: { share: number; slack: number } }
  | { readonly name: string; readonly unit: Unit; readonly most: number };

export type Unit = 'bytes' | 'count';

export interface Verdict {
  readonly name: string;
  readonly unit: Unit;
  /** Medians of the first and the last quarter after the warm-up; NaN where there were too few samples. */
  readonly first: number;
  readonly last: number;
  readonly most: number;
  /** Upper limit for `last`, or `most`. */
  readonly allowed: number;
  readonly isKept: boolean;
}

/** Share of the time in which caches fill, code is compiled and the history reaches its bounds. */
export const WARM_UP = 0.2;
/** Samples in a quarter: fewer prove nothing. */
const FEWEST = 5;

/** A quantity that could not be measured has not kept its bound. */
export function judge(bound: Bound, samples: readonly Sample[]): Verdict {
  const end = samples.at(-1)?.ms ?? 0;
  const begin = end * WARM_UP;
  const quarter = (end - begin) / 4;
  const within = (from: number, to: number): number[] =>
    samples.flatMap(({ ms, values: { [bound.name]: value } }) =>
      ms >= from && ms <= to && value !== undefined ? [value] : [],
    );
  const first = median(within(begin, begin + quarter));
  const last = median(within(end - quarter, end));
  const most = within(0, end).reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const { name, unit } = bound;
  const seen = { name, unit, first, last, most };
  if ('most' in bound) {
    return { ...seen, name: `${name}, always`, allowed: bound.most, isKept: most <= bound.most && most >= 0 };
  }
  const allowed = first * (1 + bound.level.share) + bound.level.slack;
  return { ...seen, allowed, isKept: last <= allowed };
}

function median(values: readonly number[]): number {
  if (values.length < FEWEST) return Number.NaN;
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
