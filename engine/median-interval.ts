/** Share left outside of an interval, on both sides together. */
const OUTSIDE = 0.05;
/** Pairs of values up to which ranks are counted; above them the normal law is closer than anybody needs. */
const MAX_COUNTED = 2500;
/** Quantile of the standard normal law, with 2.5 % above it. */
const NORMAL = 1.96;

/**
 * Between which two of the values the median of what they are drawn from lies, with a confidence of 95 % or more; by
 * counting signs, whatever their distribution. Null of fewer than six values, which cannot say.
 */
export function medianInterval(values: readonly number[]): readonly [number, number] | null {
  const { length } = values;
  const sorted = [...values].sort((a, b) => a - b);
  // Probability of `at` or fewer heads in `length` tosses of a coin.
  let chance = 0.5 ** length;
  let below = chance;
  let at = 0;
  while (2 * below <= OUTSIDE) {
    at += 1;
    chance *= (length - at + 1) / at;
    below += chance;
  }
  return at === 0 ? null : [sorted[at - 1]!, sorted[length - at]!];
}

/**
 * Between which bounds the ratio of one quantity to another lies, with a confidence of 95 %, where both are measured
 * apart: by the ranks of all ratios (Hodges & Lehmann 1963; Mann & Whitney 1947), whatever their distribution. Null
 * where there are too few of them.
 */
export function ratioInterval(
  values: readonly number[],
  base: readonly number[],
): readonly [number, number] | null {
  const ratios = values.flatMap((value) => base.map((other) => value / other)).sort((a, b) => a - b);
  const rank = outerRank(values.length, base.length);
  return rank === 0 ? null : [ratios[rank - 1]!, ratios[ratios.length - rank]!];
}

/** Number of all ratios that may be left outside at each end, and one; 0 where none may. */
function outerRank(m: number, n: number): number {
  const pairs = m * n;
  if (pairs > MAX_COUNTED) {
    return Math.floor(pairs / 2 - NORMAL * Math.sqrt((pairs * (m + n + 1)) / 12));
  }
  // Ways to draw m of m + n ranks by how many of the n lie below them, all together: Gaussian binomial.
  let ways = [1];
  for (let i = 1; i <= m; i++) {
    const more = new Array<number>(i * n + 1).fill(0);
    for (let sum = 0; sum < more.length; sum++) {
      more[sum] = (ways[sum] ?? 0) + (more[sum - i] ?? 0) - (ways[sum - n - i] ?? 0);
    }
    ways = more;
  }
  const all = ways.reduce((sum, count) => sum + count, 0);
  let below = 0;
  let rank = 0;
  for (const count of ways) {
    below += count;
    if ((2 * below) / all > OUTSIDE) break;
    rank += 1;
  }
  return rank;
}
