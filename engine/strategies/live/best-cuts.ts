import { CutPath } from './cut-path.ts';
import { Evaluator, KEEP_ALL } from './evaluator.ts';
import type { LiveModel } from './live-model.ts';

/** Limits closer than this share of the peak are not told apart while the interval is wide. */
const STEPS = 40;

/**
 * The cuts of lowest peak of one order, as a choice of kept items: binary search on the limit between
 * the best peak known and what no segment can be under. O(V²) for each of at most 40 limits.
 */
export function bestCuts(model: LiveModel, tick: () => void): Uint8Array {
  const evaluator = new Evaluator(model);
  const path = new CutPath(model);
  let keep: Uint8Array = new Uint8Array(model.items).fill(KEEP_ALL);
  let high = evaluator.evaluate(keep);
  let low = model.bytes[0]!;
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
    const peak = evaluator.evaluate(found);
    if (peak <= limit) high = peak;
    else high = limit;
    keep = found;
  }
  return keep;
}
