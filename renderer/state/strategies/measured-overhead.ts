import { formatChange } from '../../shared/format/numbers.ts';

export interface MeasuredOverhead {
  /** A share of 1. */
  readonly share: number;
  /** Confidence interval of 95 %; null where that was measured too few times. */
  readonly interval: readonly [number, number] | null;
  /** Pairs of iterations in turn, whose drift cancels; null for two runs, one after the other. */
  readonly pairs: number | null;
}

/** An interval on both sides of zero says something only when it is at most so wide. */
const NARROW = 0.1;

/** Not even the sign is known, or nothing is. */
export function isTooNoisy({ interval }: MeasuredOverhead): boolean {
  if (interval === null) return true;
  const [low, high] = interval;
  return low < 0 && high > 0 && high - low > NARROW;
}

/** "+25 % (+20 % to +31 %)", or that it cannot be said. */
export function sayOverhead(measured: MeasuredOverhead): string {
  const { share, interval } = measured;
  if (interval === null || isTooNoisy(measured)) return 'too noisy to tell';
  const [low, high] = interval.map(formatChange);
  return low === high ? `${low}` : `${formatChange(share)} (${low} to ${high})`;
}
