import { CutPath } from './cut-path.ts';
import { type Choices, KEEP_ALL } from './choice.ts';
import type { LiveModel } from './live-model.ts';
import { ByteCurve } from './byte-curve.ts';

/** Enough for any interval of bytes. */
const STEPS = 50;

/**
 * The cuts of lowest peak of one order, as a choice of kept items: binary search on the limit between
 * the best peak known and what no segment can be under. O(V²) for each of at most 50 limits.
 *
 * @param ceiling orders without a path within this peak are not worth more than one look
 * @returns null where the ceiling cannot be met
 */
export function bestCuts(
  model: LiveModel,
  ceiling: number,
  tick: () => void,
): { keep: Choices; peak: number } | null {
  const peakOf = (choices: Choices): number => {
    const curve = new ByteCurve(model, choices);
    curve.measure(0);
    return curve.peak;
  };
  const path = new CutPath(model);
  let keep: Choices = new Int32Array(model.items).fill(KEEP_ALL);
  let peak = peakOf(keep);
  let low = model.bytes[0]!;
  let high = peak;
  if (ceiling < peak) {
    const cuts = path.cutsWithin(ceiling);
    if (cuts === null) return null;
    keep = path.keepOf(cuts);
    peak = peakOf(keep);
    high = Math.min(ceiling, peak);
  }
  for (let step = 0; step < STEPS && high - low > 1; step++) {
    tick();
    const limit = Math.floor((low + high) / 2);
    const cuts = path.cutsWithin(limit);
    if (cuts === null) {
      low = limit;
      continue;
    }
    const found = path.keepOf(cuts);
    // What recomputes lazily may be lower than what the path reckons with.
    const reached = peakOf(found);
    high = Math.min(limit, reached);
    if (reached > peak) continue;
    peak = reached;
    keep = found;
  }
  return { keep, peak };
}
