import { getOrCompute } from '../../get-or-compute.ts';
import { KEEP_VALUE } from './keep-encoding.ts';
import type { SearchLimit } from './search-limit.ts';
import type { ByteCurve } from './byte-curve.ts';
import type { LiveModel } from './live-model.ts';
import { indices } from '../../typed-arrays.ts';

/** How many of the cheapest items are measured before one is dropped. */
const TRIED = 6;

const orders = new WeakMap<LiveModel, Int32Array>();

/**
 * Drops items until the peak is within a limit: at the position of the peak, those whose recomputation
 * comes later, cheapest forward work per byte first, the one that takes most overflow away for its
 * work of a handful tried. Returns false where nothing is left that helps, the recompute is no longer below `most` or the
 * search may not go on.
 * O(items dropped · TRIED) changes.
 */
export function dropUntilItFits(
  curve: ByteCurve,
  limit: number,
  search: SearchLimit,
  most = Number.POSITIVE_INFINITY,
): boolean {
  const { model } = curve;
  const { auxBytes, created } = model;
  const cheapestFirst = getOrCompute(orders, model, () => byWorkPerByte(model));
  let overflow = curve.measure(limit);
  while (curve.peak > limit) {
    if (search.look(curve.takeLooks()) || curve.work >= most) return false;
    const at = curve.peakPosition;
    const inForward = curve.peakInForward;
    const before = curve.work;
    // The source is never dropped.
    let best = 0;
    let bestChoice = 0;
    let bestRatio = 0;
    let tried = 0;
    for (const item of cheapestFirst) {
      if (tried >= TRIED) break;
      const kept = curve.keep[item]!;
      if (kept === 0 || created[item]! > at || curve.until[item]! >= (inForward ? model.order.length : at))
        continue;
      if (!inForward && model.maxNeed[item]! >= at && auxBytes[item] === 0) continue;
      for (const choice of auxBytes[item]! > 0 ? [0, KEEP_VALUE] : [0]) {
        if (choice === kept) continue;
        tried++;
        curve.set(item, choice);
        const gain = overflow - curve.measure(limit);
        const ratio = gain / (Math.max(0, curve.work - before) + 1);
        if (ratio > bestRatio) {
          bestRatio = ratio;
          best = item;
          bestChoice = choice;
        }
        curve.undo();
      }
    }
    if (best === 0) return false;
    curve.set(best, bestChoice);
    overflow = curve.measure(limit);
  }
  return true;
}

/** All items but the source by forward work per byte, the last of equal ones first. */
function byWorkPerByte({ items, bytes, work, auxBytes }: LiveModel): Int32Array {
  const density = Float64Array.from(bytes, (held, i) => (work[i]! + 1) / (held + auxBytes[i]! + 1));
  return indices(items)
    .subarray(1)
    .sort((a, b) => density[a]! - density[b]! || b - a);
}
