import type { SearchLimit } from './search-limit.ts';
import type { ByteCurve } from './byte-curve.ts';
import { KEEP_ALL } from './keep-encoding.ts';
import { isLarge } from './size-threshold.ts';
import { keepMoreInBlocks } from './keep-more-in-blocks.ts';

/**
 * Spends the bytes that are free under a limit on keeping more, so that less is recomputed: items with
 * the most forward work per byte first, each kept if the peak allows it; again until nothing changes.
 * Greedy; one change and one `measure` of the curve for each item that is recomputed, per round. Large graphs are
 * spent in blocks.
 */
export function keepMoreWithin(curve: ByteCurve, limit: number, search: SearchLimit, rounds = 2): void {
  if (isLarge(curve.model)) {
    keepMoreInBlocks(curve, limit, search);
    return;
  }
  const { items, work, bytes, auxBytes } = curve.model;
  const dropped: number[] = [];
  for (let item = 1; item < items; item++) if (curve.again[item]! >= 0) dropped.push(item);
  const density = (item: number): number => work[item]! / (bytes[item]! + auxBytes[item]! + 1);
  dropped.sort((a, b) => density(b) - density(a) || a - b);
  for (let round = 0; round < rounds; round++) {
    let changed = false;
    for (const [i, item] of dropped.entries()) {
      if (search.look(curve.takeLooks())) {
        search.leave('values', i, dropped.length);
        return;
      }
      if (curve.keep[item] === KEEP_ALL || curve.again[item]! < 0) continue;
      // The value without its auxiliary saves no work: backward asks for a forward all the same.
      const least = curve.work;
      curve.set(item, KEEP_ALL);
      if (curve.work < least && curve.fits(limit)) changed = true;
      else curve.undo();
    }
    if (!changed) break;
  }
}
