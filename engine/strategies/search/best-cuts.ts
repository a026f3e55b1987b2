import { commonDivisor } from './common-divisor.ts';
import type { SearchLimit } from './search-limit.ts';
import { ByteCurve } from './byte-curve.ts';
import { type KeepEncoding, KEEP_ALL } from './keep-encoding.ts';
import { CutPath } from './cut-path.ts';
import type { LiveModel } from './live-model.ts';
import { isLarge } from './size-threshold.ts';

/** Enough for any interval of bytes. */
const STEPS = 50;
/** Work of making a curve, per item. */
const CURVE_LOOKS = 20;

export interface BestCuts {
  readonly keep: KeepEncoding;
  readonly peak: number;
  /** True when no path of cuts of this order has a lower peak; false when the search ended before. */
  readonly isLeast: boolean;
}

/** Common divisor of all sizes: no two peaks lie closer together. */
export function unitOf({ memory }: Pick<LiveModel, 'memory'>): number {
  return Math.max(1, commonDivisor([...memory.outputBytes, ...memory.gradientBytes, ...memory.auxBytes]));
}

/**
 * The cuts of lowest peak of one order, as a choice of kept items: binary search on the limit between
 * the best peak known and what no segment can be under. O(V²) for each of at most 50 limits; on large graphs a
 * path is first looked for at `hint`, then twice as high each time, because low limits are cheap: short segments.
 *
 * @param ceiling orders without a path within this peak are not worth more than one look
 * @param hint a peak that is known to be reached by other means
 * @returns null where the ceiling cannot be met
 */
export function bestCuts(
  model: LiveModel,
  ceiling: number,
  hint: number,
  search: SearchLimit,
): BestCuts | null {
  const peakOf = (choices: KeepEncoding): number => {
    const curve = new ByteCurve(model, choices);
    curve.measure(0);
    search.look(CURVE_LOOKS * model.items);
    return curve.peak;
  };
  const path = new CutPath(model);
  let keep: KeepEncoding = new Int32Array(model.items).fill(KEEP_ALL);
  let peak = peakOf(keep);
  let low = model.bytes[0]!;
  let high = peak;
  if (ceiling < peak) {
    const cuts = path.cutsWithin(ceiling, search);
    if (cuts === null) return null;
    keep = path.keepOf(cuts);
    peak = peakOf(keep);
    high = Math.min(ceiling, peak);
  }
  const unit = isLarge(model) ? unitOf(model) : 1;
  let doubled = isLarge(model) ? hint : high;
  for (let step = 0; step < STEPS && high - low > unit; step++) {
    const limit = doubled < high ? doubled : Math.floor((low + high) / 2);
    const cuts = path.cutsWithin(limit, search);
    if (search.isReached) return { keep, peak, isLeast: false };
    doubled = cuts === null && doubled < high ? 2 * limit : Number.POSITIVE_INFINITY;
    if (cuts === null) {
      low = limit;
      continue;
    }
    const found = path.keepOf(cuts);
    // Lazy recompute may be lower than the path's estimate.
    const reached = peakOf(found);
    high = Math.min(limit, reached);
    if (reached > peak) continue;
    peak = reached;
    keep = found;
  }
  return { keep, peak, isLeast: true };
}
